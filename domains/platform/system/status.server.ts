import { statfs } from 'node:fs/promises'
import { selectDatabaseStateSql } from '#kit/server/database/database-state.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { queueStatsSql } from '#kit/server/jobs/index.ts'
import {
  countResponses,
  metricSamples,
  summarizeProcess,
  routeLatencySummary,
  slowestStatements,
  type ProcessMeasurements,
} from '#kit/server/meters/index.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import type { SystemStatus } from './status.ts'

const ROUTES = 20
const STATEMENTS = 15

/** Reads queue and database statistics across all tenants: only numbers and queue names, no rows. */
const shared = (db: Db) =>
  db.acrossTenants('the status page counts what waits, and shows nobody of whom', async (all) => {
    const [queues, tasks, database] = await Promise.all([
      all.query<SystemStatus['queues'][number]>(queueStatsSql),
      all.query<SystemStatus['tasks'][number]>(sql`
        select kind, state, count(*)::int as count,
          extract(epoch from clock_timestamp() - min(update_time))::float8 as "oldestSeconds"
        from background_task where state <> 'done' and create_time > now() - interval '7 days'
        group by kind, state order by kind, state`),
      all.one<{ state: SystemStatus['database'] }>(selectDatabaseStateSql),
    ])
    return { queues, tasks, database: database?.state }
  })

async function diskOf({ config }: Call['services']): Promise<SystemStatus['disk']> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** Returns the installation's figures from the same metrics Prometheus reads. */
function installationOf(all: readonly ProcessMeasurements[]): SystemStatus['installation'] {
  const one = (name: string) => metricSamples(all, name)[0]?.value
  const by = (name: string) =>
    metricSamples(all, name).map(({ labels, value }) => ({ state: labels.state ?? '', count: value }))
  return {
    version: all.find(({ version }) => version)?.version ?? '',
    uptimeSeconds: one('store_uptime_seconds'),
    comeAgain: countResponses(all, '503'),
    tooMany: countResponses(all, '429'),
    archiveFailing: one('store_archive_failing'),
    archiveLastSeconds: one('store_archive_last_seconds'),
    backupAgeSeconds: one('store_backup_age_seconds'),
    clockErrorSeconds: one('store_clock_error_seconds'),
    devices: by('store_devices'),
    commands: by('store_device_commands'),
  }
}

async function status({ db, services }: Call): Promise<SystemStatus> {
  const [all, disk, { queues, tasks, database }] = await Promise.all([
    services.meters.all(),
    diskOf(services),
    shared(db),
  ])
  return {
    processes: all.map(summarizeProcess),
    routes: routeLatencySummary(all).slice(0, ROUTES),
    statements: slowestStatements(all).slice(0, STATEMENTS),
    queues: queues.filter(({ due, later, running, failed }) => due + later + running + failed > 0),
    tasks,
    database,
    disk,
    installation: installationOf(all),
  }
}

export const systemStatusRoute: Route = defineRoute({
  method: 'GET',
  path: '/api/blade-system/status',
  title: { zh: '系统状态', en: 'System status' },
  can: { platform: 'the machine and its database belong to the platform' },
  handle: status,
})
