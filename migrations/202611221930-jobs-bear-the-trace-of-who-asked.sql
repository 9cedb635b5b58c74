alter table job add column if not exists trace_id text not null default '';
