alter table "notice_log" add column "phone" text;
