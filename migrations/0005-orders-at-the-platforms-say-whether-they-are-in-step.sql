alter table "ele_order" add column "sync_status" integer;
alter table "ele_order" add column "sync_time" timestamptz(3);
alter table "ele_order" add column "sync_error" text;
alter table "meituan_order" add column "sync_status" integer;
alter table "meituan_order" add column "sync_time" timestamptz(3);
alter table "meituan_order" add column "sync_error" text;
