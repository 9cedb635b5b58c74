-- apart: each statement in no transaction
drop index concurrently if exists "meituan_task_by_status_create_time_id";
create index concurrently "meituan_task_by_status_create_time_id" on "meituan_task" (tenant_id, status, create_time desc, id desc);
drop index concurrently if exists "platform_step_by_task";
create index concurrently "platform_step_by_task" on "platform_step" (tenant_id, task_id) where task_id is not null;
