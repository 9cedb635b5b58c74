create table "remote_output_tail" (
  "tenant_id" text not null,
  "session_id" bigint not null,
  "seq" integer not null,
  "stream" text not null,
  "data" bytea not null,
  primary key (tenant_id, session_id, seq, stream)
);
grant select, insert, update, delete on "remote_output_tail" to store_app;
grant select, insert, update, delete on "remote_output_tail" to store_platform;
alter table "remote_output_tail" enable row level security;
create policy own_rows on "remote_output_tail" to store_app using (tenant_id = current_setting('app.tenant', true)) with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on "remote_output_tail" to store_platform using (true) with check (true);
