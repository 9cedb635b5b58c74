alter table job add column if not exists again_at timestamptz;
grant update (payload, again_at) on job to store_app;
