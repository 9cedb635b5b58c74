alter table "log_error" add column "summary" text;
update "log_error" set "summary" = left(split_part(btrim("message", E' \n\r\t'), E'\n', 1), 300) where "message" is not null;
