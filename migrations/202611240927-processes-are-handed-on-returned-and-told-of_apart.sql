-- apart: each statement in no transaction
drop index concurrently if exists "flow_task_list";
create index concurrently "flow_task_list" on "flow_task" (tenant_id, create_time desc, id desc);
drop index concurrently if exists "flow_task_all";
create index concurrently "flow_task_all" on "flow_task" (create_time desc, id desc);
drop index concurrently if exists "flow_task_by_assignee_state_end_time";
create index concurrently "flow_task_by_assignee_state_end_time" on "flow_task" (tenant_id, assignee, state, end_time);
drop index concurrently if exists "flow_task_by_state_create_time";
create index concurrently "flow_task_by_state_create_time" on "flow_task" (tenant_id, state, create_time desc);
drop index concurrently if exists "flow_task_uq_instance_id_key";
create unique index concurrently "flow_task_uq_instance_id_key" on "flow_task" (tenant_id, instance_id, key);
drop index concurrently if exists "flow_task_uq_key";
drop index concurrently if exists "flow_task_mine";
drop index concurrently if exists "flow_task_unclaimed";
