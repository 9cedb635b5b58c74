alter table "merchant_bill_detail" add column "payable" text;
create table "taken_fee" (
  "tenant_id" text not null,
  "kind" text not null check (kind in ('pay', 'refund')),
  "number" text not null,
  "fee" bigint not null,
  "create_time" timestamptz(3) not null default now(),
  primary key (tenant_id, kind, number)
);
grant select, insert, update, delete on "taken_fee" to store_app;
grant select, insert, update, delete on "taken_fee" to store_platform;
alter table "taken_fee" enable row level security;
create policy own_rows on "taken_fee" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "taken_fee" to store_platform using (true) with check (true);
