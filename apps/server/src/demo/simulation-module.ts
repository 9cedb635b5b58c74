import { randomBytes } from 'node:crypto'
import { createTenant, findPracticeTenants, removePracticeTenant } from '#domains/platform/system/api.ts'
import { f } from '#kit/resource/index.ts'
import { localize, type LocalizedText } from '#kit/base/localized-text.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineModule, defineRoute, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { FaultShown } from '#simulators/gateways/faults.ts'
import './refusals.ts'
import { callSimulationControl } from './simulation-control.ts'

const PRACTICE_MAX = 5
const PRACTICE = { zh: '练习', en: 'Practice' }
const why = { platform: 'simulated devices belong to the installation, and so does what is wrong with them' }

type Board = {
  table: readonly FaultShown[]
  devices: { tenantId: string; name: string | LocalizedText }[]
  days: { tenantId: string }[]
}

async function callSimulation<T>({ services }: Call, name: string, body?: object): Promise<T> {
  const answer = await callSimulationControl<T>(services.config.dataDir, name, body)
  if (answer === undefined) throw new Refused('street_away')
  return answer
}

/** Returns the devices with their faults, and the practice tenants with the day played in each. */
async function board(call: Call) {
  const { table, devices, days } = await callSimulation<Board>(call, 'board')
  const tenants = await call.db.acrossTenants('practice tenants and whose devices are simulated', async (all) => ({
    practice: await findPracticeTenants(all),
    names: await all.query<{ tenantId: string; tenantName: string }>(
      sql`select tenant_id, tenant_name from tenant where tenant_id = any(${devices.map((one) => one.tenantId)})`,
    ),
  }))
  const names = new Map(tenants.names.map((one) => [one.tenantId, one.tenantName]))
  return {
    table: table.map((fault) => ({
      ...fault,
      label: localize(fault.label, call.lang),
      ...('unit' in fault && fault.unit ? { unit: localize(fault.unit, call.lang) } : {}),
      ...('words' in fault
        ? { words: fault.words.map(({ key, label }) => ({ key, label: localize(label, call.lang) })) }
        : {}),
    })),
    devices: devices.map((one) => ({
      ...one,
      name: typeof one.name === 'string' ? one.name : localize(one.name, call.lang),
      tenantName: names.get(one.tenantId) ?? '',
    })),
    practice: tenants.practice.map((one) => ({ ...one, day: days.find(({ tenantId }) => tenantId === one.tenantId) })),
  }
}

/** Creates a practice tenant with all its devices. Returns its password, which is shown this once. */
async function makePractice(call: Call) {
  const { services } = call
  const password = randomBytes(9).toString('base64url')
  const tenantName = `${localize(PRACTICE, call.lang)} ${formatShanghaiTime(services.now()).slice(5, 16)}`
  const { seedPracticeTenant } = await import('./practice-tenant.ts')
  const made = await services.unit({ crossTenantReason: 'a practice tenant is made' }, async (all) => {
    await all.advisoryLock('practice tenants')
    if ((await findPracticeTenants(all)).length >= PRACTICE_MAX)
      throw new Refused('practice_enough', { max: PRACTICE_MAX })
    const row = await createTenant(all, services, { tenantName, isPractice: true, accountNumber: -1 }, { password })
    await all.asTenant(row.tenantId, (db) => seedPracticeTenant(db, services))
    return row
  })
  await callSimulation(call, 'adopt', { tenantId: made.tenantId })
  return { tenantId: made.tenantId, tenantName, account: 'admin', password }
}

const base = '/api/street'
const tenantId = f.text({ label: { zh: '租户编号', en: 'Tenant' }, required: true, max: 20 })
const title = (zh: string, en: string) => ({ zh: `模拟环境：${zh}`, en: `Simulation: ${en}` })

/**
 * The module of simulated devices, their faults and practice tenants. Registered only where the simulation is enabled.
 */
export const deviceSimulationModule = defineModule({
  name: 'street',
  label: { zh: '模拟环境', en: 'Simulation' },
  menus: [
    {
      code: 'system_street',
      under: 'system',
      label: { zh: '练习与故障', en: 'Training and faults' },
      path: '/system/street',
      icon: 'experiment',
      sort: 95,
    },
  ],
  routes: [
    defineRoute({
      method: 'GET',
      path: `${base}/board`,
      title: title('设备与故障', 'devices and faults'),
      can: why,
      handle: board,
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/faults`,
      title: title('设置故障', 'set faults'),
      can: why,
      tx: false,
      handle: async (call) => {
        const answer = await callSimulationControl<{ changed: number }>(
          call.services.config.dataDir,
          'faults',
          call.body as object,
        )
        if (!answer?.changed) throw new Refused('street_fault')
        return answer
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/practice`,
      title: title('建立练习租户', 'make a practice tenant'),
      can: why,
      tx: false,
      handle: makePractice,
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/play`,
      title: title('播放一天', 'play a day'),
      can: why,
      tx: false,
      input: { tenantId, minutes: f.number({ label: { zh: '几分钟', en: 'Minutes' }, min: 1, max: 60, default: 4 }) },
      handle: async (call) => {
        const { done } = await callSimulation<{ done: boolean }>(call, 'play', call.input)
        if (!done) throw new Refused('practice_played')
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/remove`,
      title: title('清除练习租户', 'remove a practice tenant'),
      can: why,
      input: { tenantId },
      handle: async (call) => {
        await removePracticeTenant(call, call.input.tenantId)
        // The simulation drops the tenant's devices, whose calls would only fail.
        await callSimulationControl(call.services.config.dataDir, 'drop', { tenantId: call.input.tenantId })
      },
    }),
  ],
})
