alter table "device_message_aside" add column "client_id" text;
alter table "device_message_aside" add column "link_id" bigint;
alter table "device_message_aside" add column "shop_id" bigint;
alter table "device_message_aside" add column "about" text;
alter table "device_message_aside" add column "type" text;
alter table "device_message_aside" add column "fault" text;
alter table "device_message_aside" alter column "reason" drop not null;
alter table "device_message_aside" add column "state" text;
alter table "device_message_aside" add column "count" integer;
alter table "device_message_aside" add column "tries" integer;
alter table "device_message_aside" add column "last_time" timestamptz(3);
alter table "device_message_aside" add column "handled_time" timestamptz(3);
alter table "device_message_aside" add column "handler" bigint;
alter table "device_message_aside" alter column "topic" drop not null;
alter table "device_message_aside" alter column "payload" drop not null;
alter table "device_message_aside" add column "content" text;
alter table "device_message_aside" add column "may_try" boolean;
alter table "device_message_aside" add column "open_key" text;
alter table "device_message_aside" add column "create_user" bigint;
alter table "device_message_aside" add column "create_dept" bigint;
alter table "device_message_aside" add column "update_user" bigint;
alter table "device_message_aside" add column "update_time" timestamptz(3) not null default now();
alter table "device_message_aside" add column "version" integer not null default 0;
alter table "price_tag" add column "fail_reason" text;
-- What was put aside before stands open with what its topic says, and cannot be tried again.
-- locks: some days of messages that failed, written by the one process that listens, which waits
update "device_message_aside" a set client_id = left(split_part(a.topic, '/', 4), 64),
  about = left(split_part(a.topic, '/', 6), 40), fault = 'unknown', state = 'open', "count" = 1, tries = 0,
  last_time = a.create_time, may_try = false,
  link_id = (select l.id from "device_link" l where l.tenant_id = a.tenant_id
    and l.client_id = split_part(a.topic, '/', 4) limit 1),
  shop_id = (select l.shop_id from "device_link" l where l.tenant_id = a.tenant_id
    and l.client_id = split_part(a.topic, '/', 4) limit 1);
