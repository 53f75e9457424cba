-- Media keeps who may upload a clip.
drop table clip_rights;
