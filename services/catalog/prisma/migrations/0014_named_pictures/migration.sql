-- Whether somebody names a stored picture (src/event/named-pictures.ts).
create index listings_picture on listings (picture_url) where picture_url like '/media/images/%';
create index ads_sent_image on ads (sent_image_url) where sent_image_url like '/media/images/%';
create index ads_shown_image on ads (shown_image_url) where shown_image_url like '/media/images/%';
