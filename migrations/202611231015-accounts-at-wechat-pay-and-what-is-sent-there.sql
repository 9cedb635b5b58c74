alter table "merchant_info" add column "receiver_states" jsonb;
create table "pay_account" (
  "id" bigint not null,
  "tenant_id" text not null,
  "name" text not null,
  "sp_mchid" text not null,
  "sp_appid" text not null,
  "serial_no" text not null,
  "secret_key" text not null,
  "apiv3_key" text not null,
  "public_key_no" text,
  "public_key_pem" text,
  "endpoint" text,
  "may_be_inside" boolean,
  "notify_base" text,
  "enabled" boolean,
  "remark" text,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  "is_deleted" smallint not null default 0,
  primary key (tenant_id, id)
);
create index "pay_account_list" on "pay_account" (tenant_id, create_time desc, id desc) where is_deleted = 0;
create index "pay_account_all" on "pay_account" (create_time desc, id desc) where is_deleted = 0;
create unique index "pay_account_uq_name" on "pay_account" (tenant_id, name) where is_deleted = 0;
create index "pay_account_bin" on "pay_account" (tenant_id, update_time desc, id desc) where is_deleted = 1;
grant select, insert, update, delete on "pay_account" to store_app;
grant select, insert, update, delete on "pay_account" to store_platform;
alter table "pay_account" enable row level security;
create policy own_rows on "pay_account" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "pay_account" to store_platform using (true) with check (true);
alter table "pay_apply" add column "applyment_no" text;
alter table "pay_apply" add column "sign_url" text;
alter table "pay_apply" add column "sent_time" timestamptz(3);
alter table "pay_apply" add column "asked_time" timestamptz(3);
alter table "pay_apply" add column "finish_time" timestamptz(3);
alter table "pay_apply" add column "contact_id_begin" date;
alter table "pay_apply" add column "contact_id_end" date;
alter table "refund_payment" add column "way" text;
alter table "refund_payment" add column "ask_time" timestamptz(3);
alter table "refunds" add column "channel_note" text;
alter table "share_log" add column "kind" text;
alter table "share_log" add column "results" jsonb;
alter table "share_log" add column "of_share_no" text;
alter table "share_log" add column "for_refund_no" text;
alter table "share_log" add column "sent_time" timestamptz(3);
