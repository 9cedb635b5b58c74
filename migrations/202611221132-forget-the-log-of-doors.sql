grant delete on "door_control_log" to store_platform;
create policy young_stay on "door_control_log" as restrictive for delete to store_platform using (create_time < now() - interval '30 days');
