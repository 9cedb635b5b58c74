alter table "platform_step" add column "read_time" timestamptz;
