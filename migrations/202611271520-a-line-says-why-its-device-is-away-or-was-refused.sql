alter table "device_link" add column "end_reason" text;
alter table "device_link" add column "refused_time" timestamptz(3);
alter table "device_link" add column "refused_reason" text;
