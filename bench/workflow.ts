// npm run bench -- workflow [--tasks 200] [--lanes 8]: steps per second of the pure state machine, with its state as
// text in between as the database stores it; and tasks completed per second through API calls on a database of its own.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import { isProcessEnded, computeNextProcessState, type ProcessState } from '#domains/platform/workflow/machine.ts'
import { readBpmn } from '#domains/platform/workflow/read-bpmn.ts'
import { leaveXml } from '#domains/platform/workflow/test-flows.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { benchTenant, signIn } from './tenant.ts'

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback
const TASKS = option('tasks', 200)
const LANES = option('lanes', 8)
const SECONDS = 3
const log = (line: string) => console.log(line)

/** Returns how many steps of the leave process run, repeated from start to end. */
function pureSteps(): number {
  const graph = readBpmn(leaveXml)
  const until = performance.now() + SECONDS * 1000
  const variables = { taskUser: '5', days: 1 }
  let steps = 0
  while (performance.now() < until) {
    let text = JSON.stringify(
      computeNextProcessState(graph, undefined, { do: 'start', who: { id: '9', groups: [] }, variables }, 0).state,
    )
    for (steps++; ; steps++) {
      const state = JSON.parse(text) as ProcessState
      if (isProcessEnded(state)) break
      const { id, assignee, groups } = state.tasks[0]!
      const who = { id: assignee || '7', groups }
      text = JSON.stringify(
        computeNextProcessState(
          graph,
          state,
          assignee ? { do: 'complete', task: id, who, isPassed: true, variables: {} } : { do: 'claim', task: id, who },
          0,
        ).state,
      )
    }
  }
  return steps / SECONDS
}

log(`pure machine, state as text in between: ${Math.round(pureSteps())} steps/s`)

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => {} })
const owner = createOwnerPool(database.url)
await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({ ...BENCH_START, dataDir: folder, databaseUrl: database.url })
await app.seed()
await app.start()
try {
  const tenantId = await benchTenant(app, owner)
  const headers = await signIn(app, tenantId)
  const ask = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await app.http.inject({ method, url, headers, ...(body && { payload: body }) })
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body.slice(0, 300)}`)
    return answer.json<{ data: any }>().data
  }
  const rounds = async (work: (at: number) => Promise<unknown>) => {
    const began = performance.now()
    await Promise.all(
      Array.from({ length: LANES }, async (_one, lane) => {
        for (let at = lane; at < TASKS; at += LANES) await work(at)
      }),
    )
    return (TASKS / (performance.now() - began)) * 1000
  }
  const me = String((await ask('GET', '/api/blade-user/info')).id)
  const xml = leaveXml.replace('flowable:candidateGroups="manager"', `flowable:assignee="${me}"`)
  const { id: modelId } = await ask('POST', '/api/blade-flow/model/submit', {
    modelKey: 'leave',
    name: 'leave',
    modelEditorXml: xml,
  })
  await ask('POST', `/api/blade-flow/model/deploy?modelId=${modelId}&category=flow_1&tenantIds=`)
  const { records } = await ask('GET', '/api/blade-flow/manager/list?key=leave')
  const leave = { taskUser: me, startTime: '2026-12-01 09:00:00', endTime: '2026-12-02 09:00:00', reason: 'x' }
  const body = { ...leave, processDefinitionId: records[0].id }
  const began = await rounds(() => ask('POST', '/api/blade-desk/process/leave/start-process', body))
  log(`started through HTTP, ${LANES} at once: ${Math.round(began)}/s (tenant ${tenantId})`)
  const { records: tasks } = await ask('GET', '/api/blade-flow/work/todo-list')
  const done = await rounds((at) => {
    const { taskId, processInstanceId } = tasks[at]
    return ask('POST', '/api/blade-flow/work/complete-task', { taskId, processInstanceId, comment: 'x', flag: 'ok' })
  })
  log(`tasks finished through HTTP, ${LANES} at once: ${Math.round(done)}/s`)
} finally {
  await owner.end()
  await app.stop()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
