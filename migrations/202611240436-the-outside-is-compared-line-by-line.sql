create table "tally_back" (
  "id" bigint not null,
  "tenant_id" text not null,
  "difference_id" bigint not null,
  "merchant_id" bigint not null,
  "transaction_no" text not null,
  "order_no" text not null,
  "out_no" text not null,
  "paid" bigint not null check (paid > 0),
  "paid_fee" bigint not null,
  "paid_time" timestamptz(3) not null,
  "state" text not null check (state in ('asked', 'sent', 'done', 'failed')),
  "refund_there" text,
  "last_error" text,
  "attempts" integer not null default 0,
  "create_time" timestamptz(3) not null default now(),
  "done_time" timestamptz(3),
  primary key (tenant_id, id)
);
create unique index "tally_back_uq_transaction_no" on "tally_back" (tenant_id, transaction_no);
create unique index "tally_back_uq_out_no" on "tally_back" (tenant_id, out_no);
create index "tally_back_by_merchant_id" on "tally_back" (tenant_id, merchant_id);
grant select, insert, update, delete on "tally_back" to store_app;
grant select, insert, update, delete on "tally_back" to store_platform;
alter table "tally_back" enable row level security;
create policy own_rows on "tally_back" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_back" to store_platform using (true) with check (true);
create table "tally_day" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day" date,
  "side" text,
  "account_name" text,
  "account_no" text,
  "merchant_id" bigint,
  "shop_id" bigint,
  "ours" bigint,
  "stated" bigint,
  "moved" bigint,
  "worth" bigint,
  "remainder" bigint,
  "withdrawn" bigint,
  "balance_to" bigint,
  "line_count" integer,
  "differences" integer,
  "read_time" timestamptz(3),
  "problem" text,
  "digest" text,
  "run_no" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tally_day_list" on "tally_day" (tenant_id, day desc, id desc);
create index "tally_day_all" on "tally_day" (day desc, id desc);
create unique index "tally_day_uq_side_account_no_day" on "tally_day" (tenant_id, side, account_no, day);
grant select, insert, update, delete on "tally_day" to store_app;
grant select, insert, update, delete on "tally_day" to store_platform;
alter table "tally_day" enable row level security;
create policy own_rows on "tally_day" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_day" to store_platform using (true) with check (true);
create table "tally_difference" (
  "id" bigint not null,
  "tenant_id" text not null,
  "title" text,
  "kind" text,
  "state" text,
  "day" date,
  "ours" bigint,
  "theirs" bigint,
  "worth" bigint,
  "side" text,
  "day_id" bigint,
  "merchant_id" bigint,
  "shop_id" bigint,
  "order_id" bigint,
  "order_no" text,
  "refund_no" text,
  "transaction_no" text,
  "remark" text,
  "first_user" bigint,
  "done_user" bigint,
  "done_time" timestamptz(3),
  "mark" text,
  "run_no" integer,
  "create_user" bigint,
  "create_dept" bigint,
  "create_time" timestamptz(3) not null default now(),
  "update_user" bigint,
  "update_time" timestamptz(3) not null default now(),
  "version" integer not null default 0,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index "tally_difference_list" on "tally_difference" (tenant_id, day desc, id desc);
create index "tally_difference_all" on "tally_difference" (day desc, id desc);
create index "tally_difference_by_order_id" on "tally_difference" (tenant_id, order_id);
create index "tally_difference_by_state_day" on "tally_difference" (tenant_id, state, day);
create unique index "tally_difference_uq_day_id_mark" on "tally_difference" (tenant_id, day_id, mark);
grant select, insert, update, delete on "tally_difference" to store_app;
grant select, insert, update, delete on "tally_difference" to store_platform;
alter table "tally_difference" enable row level security;
create policy own_rows on "tally_difference" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_difference" to store_platform using (true) with check (true);
create table "tally_line" (
  "id" bigint not null,
  "tenant_id" text not null,
  "day_id" bigint not null,
  "source" text not null check (source in ('trade', 'flow', 'order')),
  "kind" text not null,
  "time" timestamptz(3) not null,
  "transaction_no" text not null,
  "order_no" text not null,
  "refund_no" text not null,
  "refund_there" text not null,
  "amount" bigint not null,
  "fee" bigint not null,
  "received" bigint not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create index "tally_line_by_day" on "tally_line" (tenant_id, day_id, source);
create index "tally_line_by_transaction_no" on "tally_line" (tenant_id, transaction_no);
create index "tally_line_by_order_no" on "tally_line" (tenant_id, order_no);
grant select, insert, update, delete on "tally_line" to store_app;
grant select, insert, update, delete on "tally_line" to store_platform;
alter table "tally_line" enable row level security;
create policy own_rows on "tally_line" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "tally_line" to store_platform using (true) with check (true);
