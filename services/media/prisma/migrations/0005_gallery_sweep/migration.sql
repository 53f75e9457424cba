-- What the sweep looks for, by its age.
create index photo_texts_written on photo_texts (written_at);
create index photo_uploads_created on photo_uploads (created_at);
