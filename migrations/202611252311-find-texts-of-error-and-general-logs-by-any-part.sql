create or replace function "log_error_holding_service_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "service_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("service_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_service_id" from public;
grant execute on function "log_error_holding_service_id" to store_app, store_platform;
create or replace function "log_error_holding_server_host"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "server_host") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("server_host"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_server_host" from public;
grant execute on function "log_error_holding_server_host" to store_app, store_platform;
create or replace function "log_error_holding_request_uri"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "request_uri") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("request_uri"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_request_uri" from public;
grant execute on function "log_error_holding_request_uri" to store_app, store_platform;
create or replace function "log_error_holding_remote_ip"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "remote_ip") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("remote_ip"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_remote_ip" from public;
grant execute on function "log_error_holding_remote_ip" to store_app, store_platform;
create or replace function "log_error_holding_create_by"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "create_by") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("create_by"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_create_by" from public;
grant execute on function "log_error_holding_create_by" to store_app, store_platform;
create or replace function "log_error_holding_exception_name"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "exception_name") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("exception_name"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_exception_name" from public;
grant execute on function "log_error_holding_exception_name" to store_app, store_platform;
create or replace function "log_error_holding_summary"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_error" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "summary") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("summary"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_error_holding_summary" from public;
grant execute on function "log_error_holding_summary" to store_app, store_platform;
create or replace function "log_usual_holding_service_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "service_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("service_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_service_id" from public;
grant execute on function "log_usual_holding_service_id" to store_app, store_platform;
create or replace function "log_usual_holding_server_host"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "server_host") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("server_host"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_server_host" from public;
grant execute on function "log_usual_holding_server_host" to store_app, store_platform;
create or replace function "log_usual_holding_request_uri"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "request_uri") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("request_uri"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_request_uri" from public;
grant execute on function "log_usual_holding_request_uri" to store_app, store_platform;
create or replace function "log_usual_holding_remote_ip"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "remote_ip") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("remote_ip"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_remote_ip" from public;
grant execute on function "log_usual_holding_remote_ip" to store_app, store_platform;
create or replace function "log_usual_holding_create_by"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "create_by") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("create_by"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_create_by" from public;
grant execute on function "log_usual_holding_create_by" to store_app, store_platform;
create or replace function "log_usual_holding_log_id"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."log_usual" where true and tenant_id || '' = current_setting('app.tenant', true)
    and text_grams(tenant_id, "log_id") @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("log_id"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "log_usual_holding_log_id" from public;
grant execute on function "log_usual_holding_log_id" to store_app, store_platform;
