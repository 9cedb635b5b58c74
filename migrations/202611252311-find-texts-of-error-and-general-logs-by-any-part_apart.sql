-- apart: each statement in no transaction
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_service_id" on only "log_error" using gin (text_grams(tenant_id, "service_id"));
-- each part of "log_error" without "log_error_grams_of_service_id"
drop index concurrently if exists "log_error_grams_of_service_id_{part}";
-- each part of "log_error" without "log_error_grams_of_service_id"
create index concurrently "log_error_grams_of_service_id_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "service_id"));
-- each part of "log_error" without "log_error_grams_of_service_id"
alter index "log_error_grams_of_service_id" attach partition "log_error_grams_of_service_id_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_server_host" on only "log_error" using gin (text_grams(tenant_id, "server_host"));
-- each part of "log_error" without "log_error_grams_of_server_host"
drop index concurrently if exists "log_error_grams_of_server_host_{part}";
-- each part of "log_error" without "log_error_grams_of_server_host"
create index concurrently "log_error_grams_of_server_host_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "server_host"));
-- each part of "log_error" without "log_error_grams_of_server_host"
alter index "log_error_grams_of_server_host" attach partition "log_error_grams_of_server_host_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_request_uri" on only "log_error" using gin (text_grams(tenant_id, "request_uri"));
-- each part of "log_error" without "log_error_grams_of_request_uri"
drop index concurrently if exists "log_error_grams_of_request_uri_{part}";
-- each part of "log_error" without "log_error_grams_of_request_uri"
create index concurrently "log_error_grams_of_request_uri_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "request_uri"));
-- each part of "log_error" without "log_error_grams_of_request_uri"
alter index "log_error_grams_of_request_uri" attach partition "log_error_grams_of_request_uri_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_remote_ip" on only "log_error" using gin (text_grams(tenant_id, "remote_ip"));
-- each part of "log_error" without "log_error_grams_of_remote_ip"
drop index concurrently if exists "log_error_grams_of_remote_ip_{part}";
-- each part of "log_error" without "log_error_grams_of_remote_ip"
create index concurrently "log_error_grams_of_remote_ip_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "remote_ip"));
-- each part of "log_error" without "log_error_grams_of_remote_ip"
alter index "log_error_grams_of_remote_ip" attach partition "log_error_grams_of_remote_ip_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_create_by" on only "log_error" using gin (text_grams(tenant_id, "create_by"));
-- each part of "log_error" without "log_error_grams_of_create_by"
drop index concurrently if exists "log_error_grams_of_create_by_{part}";
-- each part of "log_error" without "log_error_grams_of_create_by"
create index concurrently "log_error_grams_of_create_by_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "create_by"));
-- each part of "log_error" without "log_error_grams_of_create_by"
alter index "log_error_grams_of_create_by" attach partition "log_error_grams_of_create_by_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_exception_name" on only "log_error" using gin (text_grams(tenant_id, "exception_name"));
-- each part of "log_error" without "log_error_grams_of_exception_name"
drop index concurrently if exists "log_error_grams_of_exception_name_{part}";
-- each part of "log_error" without "log_error_grams_of_exception_name"
create index concurrently "log_error_grams_of_exception_name_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "exception_name"));
-- each part of "log_error" without "log_error_grams_of_exception_name"
alter index "log_error_grams_of_exception_name" attach partition "log_error_grams_of_exception_name_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_error_grams_of_summary" on only "log_error" using gin (text_grams(tenant_id, "summary"));
-- each part of "log_error" without "log_error_grams_of_summary"
drop index concurrently if exists "log_error_grams_of_summary_{part}";
-- each part of "log_error" without "log_error_grams_of_summary"
create index concurrently "log_error_grams_of_summary_{part}" on "log_error_{part}" using gin (text_grams(tenant_id, "summary"));
-- each part of "log_error" without "log_error_grams_of_summary"
alter index "log_error_grams_of_summary" attach partition "log_error_grams_of_summary_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_service_id" on only "log_usual" using gin (text_grams(tenant_id, "service_id"));
-- each part of "log_usual" without "log_usual_grams_of_service_id"
drop index concurrently if exists "log_usual_grams_of_service_id_{part}";
-- each part of "log_usual" without "log_usual_grams_of_service_id"
create index concurrently "log_usual_grams_of_service_id_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "service_id"));
-- each part of "log_usual" without "log_usual_grams_of_service_id"
alter index "log_usual_grams_of_service_id" attach partition "log_usual_grams_of_service_id_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_server_host" on only "log_usual" using gin (text_grams(tenant_id, "server_host"));
-- each part of "log_usual" without "log_usual_grams_of_server_host"
drop index concurrently if exists "log_usual_grams_of_server_host_{part}";
-- each part of "log_usual" without "log_usual_grams_of_server_host"
create index concurrently "log_usual_grams_of_server_host_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "server_host"));
-- each part of "log_usual" without "log_usual_grams_of_server_host"
alter index "log_usual_grams_of_server_host" attach partition "log_usual_grams_of_server_host_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_request_uri" on only "log_usual" using gin (text_grams(tenant_id, "request_uri"));
-- each part of "log_usual" without "log_usual_grams_of_request_uri"
drop index concurrently if exists "log_usual_grams_of_request_uri_{part}";
-- each part of "log_usual" without "log_usual_grams_of_request_uri"
create index concurrently "log_usual_grams_of_request_uri_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "request_uri"));
-- each part of "log_usual" without "log_usual_grams_of_request_uri"
alter index "log_usual_grams_of_request_uri" attach partition "log_usual_grams_of_request_uri_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_remote_ip" on only "log_usual" using gin (text_grams(tenant_id, "remote_ip"));
-- each part of "log_usual" without "log_usual_grams_of_remote_ip"
drop index concurrently if exists "log_usual_grams_of_remote_ip_{part}";
-- each part of "log_usual" without "log_usual_grams_of_remote_ip"
create index concurrently "log_usual_grams_of_remote_ip_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "remote_ip"));
-- each part of "log_usual" without "log_usual_grams_of_remote_ip"
alter index "log_usual_grams_of_remote_ip" attach partition "log_usual_grams_of_remote_ip_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_create_by" on only "log_usual" using gin (text_grams(tenant_id, "create_by"));
-- each part of "log_usual" without "log_usual_grams_of_create_by"
drop index concurrently if exists "log_usual_grams_of_create_by_{part}";
-- each part of "log_usual" without "log_usual_grams_of_create_by"
create index concurrently "log_usual_grams_of_create_by_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "create_by"));
-- each part of "log_usual" without "log_usual_grams_of_create_by"
alter index "log_usual_grams_of_create_by" attach partition "log_usual_grams_of_create_by_{part}";
-- locks: the whole holds no row itself
create index if not exists "log_usual_grams_of_log_id" on only "log_usual" using gin (text_grams(tenant_id, "log_id"));
-- each part of "log_usual" without "log_usual_grams_of_log_id"
drop index concurrently if exists "log_usual_grams_of_log_id_{part}";
-- each part of "log_usual" without "log_usual_grams_of_log_id"
create index concurrently "log_usual_grams_of_log_id_{part}" on "log_usual_{part}" using gin (text_grams(tenant_id, "log_id"));
-- each part of "log_usual" without "log_usual_grams_of_log_id"
alter index "log_usual_grams_of_log_id" attach partition "log_usual_grams_of_log_id_{part}";
