import { findCommandDefinition, requestCommand } from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { recordPriceChange } from '#domains/catalogue/products/api.ts'
import { epaDevice } from '#domains/devices/energy/index.ts'
import { importPrintersDemo } from '#domains/devices/printers/api.ts'
import { findPracticeTenants } from '#domains/platform/system/api.ts'
import { queueTagsOfGoods } from '#domains/devices/shelf-labels/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { Services } from '#kit/server/module/services.ts'
import { realClock, type Clock } from '#simulators/gateways/clock.ts'
import { deviceOrder, faultTable, type DeviceOrder, type FaultOrder } from '#simulators/gateways/faults.ts'
import { PLATFORMS } from '#simulators/outside/faults.ts'
import type { Platform } from '#simulators/outside/platforms.ts'
import { printerAccounts, startPrinterMakers } from '#simulators/printers/printers.simulator.ts'
import { createRegister, type Register } from '#simulators/registers/register.ts'
import { dayOf, playDay, type Day, type PlayedAction } from '#simulators/practice/day.ts'
import { demoTenants } from './cast.ts'
import { startTagAndSpeechSimulators } from './tag-and-speech-simulators.ts'
import {
  prepareSimulatedDevices,
  prepareSimulatedRegisters,
  type SimulatedDeviceIdentity,
} from './simulated-devices.ts'
import { startGatewayFleet, type GatewayFleetProcess, type SimulatedDeviceState } from './gateway-fleet.ts'

/**
 * A device, printer or platform as the fault page shows it. A platform belongs to no tenant and has a name in both
 * languages.
 */
type FaultTarget = {
  clientId: string
  tenantId: string
  kind: string
  name: string | LocalizedText
  shopName: string
  isOnline: boolean
  faults: Record<string, unknown>
}
type Town = {
  tenantId: string
  isPractice: boolean
  devices: SimulatedDeviceIdentity[]
  fleet: GatewayFleetProcess | undefined
  registers: Register[]
  day: Day | undefined
}
type Makers = Awaited<ReturnType<typeof startPrinterMakers>>
type Outside = { makers: Makers; carriers: ReturnType<typeof startTagAndSpeechSimulators> }

const MOODS = { offline: 'offline', noPaper: 'paperOut' } as const
const DAY_MINUTES = 24 * 60
const VISIT_MS_MAX = 60_000

/**
 * Simulates the devices of the demo data's tenants and of practice tenants, in the lead process: their state, their
 * faults and the days played in practice tenants. `close` ends it.
 */
export async function startDeviceSimulation(
  services: Services,
  { address, pace, isStory, platforms = [], dayClock = realClock }: Options,
) {
  const makers = await startPrinterMakers()
  const carriers = startTagAndSpeechSimulators(services)
  const outside = { makers, carriers }
  services.log.info({ url: makers.url }, 'What the simulated printers print is seen there')
  const towns = new Map<string, Town>()
  const adopt = (tenantId: string, isPractice: boolean) =>
    addTenant(services, outside, { tenantId, isPractice, address, pace }).then((town) => towns.set(tenantId, town))
  if (isStory) for (const { tenantId } of demoTenants) await adopt(tenantId, false)
  const practice = await services.unit({ crossTenantReason: 'practice tenants live on' }, findPracticeTenants)
  for (const { tenantId, isGoing } of practice) if (!isGoing) await adopt(tenantId, true)

  return {
    async board() {
      const fleets = await Promise.all([...towns.values()].map(shownOf))
      return {
        table: faultTable(),
        devices: [...platforms.map(platformShown), ...fleets.flat(), ...printersOf(makers, towns)],
        days: [...towns.values()].flatMap(({ tenantId, day }) =>
          day ? [{ tenantId, minute: day.minute(), isOver: day.isOver() }] : [],
        ),
      }
    },
    /** Sets and clears faults. Returns the number of devices and platforms changed. */
    async order(order: FaultOrder): Promise<number> {
      let changed = orderPlatforms(platforms, order)
      const devices = deviceOrder(order)
      if (!devices) return changed
      const { faults, clientIds, share } = devices
      changed += clientIds ? orderPrinters(makers, clientIds, faults) : 0
      for (const { fleet } of towns.values())
        if (fleet) changed += await fleet.order({ faults, ...(clientIds && { clientIds }), ...(share && { share }) })
      return changed
    },
    adopt: async (tenantId: string): Promise<void> => void (towns.has(tenantId) || (await adopt(tenantId, true))),
    drop(tenantId: string): void {
      const town = towns.get(tenantId)
      if (!town?.isPractice) return
      removeTenant(town)
      for (const [key, { sn }] of makers.makers.printers)
        if (sn.startsWith(`7${tenantId}`)) makers.makers.printers.delete(key)
      towns.delete(tenantId)
    },
    play(tenantId: string, minutes: number): boolean {
      const town = towns.get(tenantId)
      if (!town?.isPractice || (town.day && !town.day.isOver())) return false
      town.day = beginDay(services, town, { clock: dayClock, minuteMs: (minutes * 60_000) / DAY_MINUTES })
      return true
    },
    async close(): Promise<void> {
      for (const town of towns.values()) removeTenant(town)
      await Promise.all([makers.close(), carriers.close()])
    },
  }
}

export type DeviceSimulation = Awaited<ReturnType<typeof startDeviceSimulation>>
type Options = {
  address: string
  pace: string
  isStory: boolean
  platforms?: readonly Platform[]
  /** Clock by which played days pass. */
  dayClock?: Clock
}

/**
 * Starts a tenant's simulated devices, with secrets made at this start, and registers its printers with the simulated
 * makers.
 */
async function addTenant(
  services: Services,
  { makers, carriers }: Outside,
  { tenantId, isPractice, address, pace }: { tenantId: string; isPractice: boolean; address: string; pace: string },
): Promise<Town> {
  await connectPrinters(services, makers, tenantId)
  carriers.connect(tenantId, { accessPoint: tenantId === demoTenants[0].tenantId, cloud: !isPractice })
  const { devices, registers } = await services.unit({ tenantId }, async (db) => ({
    devices: await prepareSimulatedDevices(db),
    registers: isPractice ? await prepareSimulatedRegisters(db) : [],
  }))
  const fleet = services.link && (await startGatewayFleet(services, devices, isPractice ? undefined : pace))
  const random = createRandom(Number(tenantId))
  const played = registers.map((one) => createRegister({ ...one, url: address, random }))
  for (const register of played) void register.start()
  return { tenantId, isPractice, devices, fleet, registers: played, day: undefined }
}

function removeTenant({ fleet, day }: Town): void {
  day?.stop()
  fleet?.end()
}

/** Points the tenant's accounts at the printer makers to this start's simulators. */
async function connectPrinters(services: Services, simulator: Makers, tenantId: string): Promise<void> {
  const { seedPrinterVendorAccounts: connectMakers } = await importPrintersDemo()
  const makers = {
    feie: { ...printerAccounts.feie, endpoint: simulator.endpointOf('feie'), callbackKey: simulator.callbackKey },
    yilianyun: { ...printerAccounts.yilianyun, endpoint: simulator.endpointOf('yilianyun') },
    xpyun: { ...printerAccounts.xpyun, endpoint: simulator.endpointOf('xpyun') },
  }
  const printers = await services.unit({ tenantId }, (db) => connectMakers(db, services, makers))
  for (const { brand, sn, name, status } of printers) simulator.know({ maker: brand, sn, name, status, tenantId })
}

async function shownOf({ tenantId, devices, fleet }: Town): Promise<FaultTarget[]> {
  const standing = new Map((await fleet?.standing())?.map((one): [string, SimulatedDeviceState] => [one.clientId, one]))
  return devices.map(({ clientId, kind, name, shopName }) => ({
    clientId,
    tenantId,
    kind,
    name,
    shopName,
    isOnline: standing.get(clientId)?.isOnline ?? false,
    faults: standing.get(clientId)?.faults ?? {},
  }))
}

const printersOf = ({ makers }: Makers, towns: ReadonlyMap<string, Town>): FaultTarget[] =>
  [...makers.printers].flatMap(([clientId, { name, mood, tenantId }]) =>
    tenantId && towns.has(tenantId)
      ? [
          {
            clientId,
            tenantId,
            kind: 'printer',
            name,
            shopName: '',
            isOnline: mood !== 'offline',
            faults: mood === 'ready' ? {} : { [MOODS[mood]]: true },
          },
        ]
      : [],
  )

function platformShown({ kind, faults }: Platform): FaultTarget {
  const now = faults()
  return { clientId: kind, tenantId: '', kind, name: PLATFORMS[kind], shopName: '', isOnline: !now.away, faults: now }
}

/** Sets faults of the platforms the order names, or of all. Returns how many. */
const orderPlatforms = (platforms: readonly Platform[], { faults, clientIds }: FaultOrder): number =>
  platforms.filter(({ kind, order }) => (!clientIds || clientIds.includes(kind)) && order(faults)).length

/** Sets and clears the faults a printer can have, one at a time. Returns the number of printers named. */
function orderPrinters(simulator: Makers, clientIds: readonly string[], faults: DeviceOrder['faults']): number {
  let changed = 0
  for (const clientId of clientIds) {
    const printer = simulator.makers.printers.get(clientId)
    if (!printer) continue
    for (const [mood, fault] of Object.entries(MOODS) as ['offline' | 'noPaper', 'offline' | 'paperOut'][]) {
      if (faults[fault] === true) simulator.set(printer.maker, printer.sn, mood)
      if (faults[fault] === null && printer.mood === mood) simulator.set(printer.maker, printer.sn, 'ready')
    }
    changed++
  }
  return changed
}

/**
 * Plays one day in a practice tenant: customers visit and buy, prices change, lights are switched. Commands and prices
 * take the product's usual way.
 */
function beginDay(services: Services, town: Town, { clock, minuteMs }: { clock: Clock; minuteMs: number }): Day {
  const shops = [...new Set(town.devices.map(({ shopId }) => shopId))]
  const customers = town.devices.find((one) => one.customers)?.customers ?? { prefix: '', count: 1 }
  const random = createRandom(services.now().getTime())
  const script = dayOf(random, { shops: shops.length, customers: customers.count, goods: 12 })
  const doors = shops.map((shopId) => town.devices.find((one) => one.shopId === shopId && one.kind === 'gateway'))
  const acts: {
    [W in PlayedAction['what']]: (action: Extract<PlayedAction, { what: W }>, shopId: string) => Promise<unknown>
  } = {
    visit: async ({ shop, customer }) =>
      town.fleet?.act({
        act: 'visit',
        clientId: doors[shop]?.clientId,
        doorNo: 1,
        openid: `${customers.prefix}${String(customer + 1).padStart(4, '0')}`,
        stayMs: Math.max(3_000, Math.min(VISIT_MS_MAX, minuteMs * 12)),
      }),
    sale: async ({ shop }) => {
      const register = town.registers[shop]
      await register?.beat()
      await register?.sell()
    },
    price: ({ good, change }, shopId) =>
      services.unit({ tenantId: town.tenantId }, (db) => changePrice(db, shopId, { good, change }, services.now())),
    lights: ({ opt }, shopId) =>
      services.unit({ tenantId: town.tenantId }, (db) => switchLights(db, services, shopId, opt)),
  }
  return playDay(script, {
    clock,
    minuteMs,
    act(action) {
      const what = acts[action.what] as (one: PlayedAction, shopId: string) => Promise<unknown>
      // Failures are part of the practice: they are only logged.
      what(action, shops[action.shop]!).catch((err: unknown) => services.log.info({ err }, 'a deed of a practice day'))
    },
  })
}

async function changePrice(db: Db, shopId: string, { good, change }: { good: number; change: number }, now: Date) {
  const [was] = await db.find(
    goodInfo,
    sql`r.shop_id = ${shopId} and r.on_sale`,
    sql`order by r.sort, r.id limit 1 offset ${good}`,
  )
  if (!was) return
  const row = await db.update(goodInfo, was.id, { salePrice: Math.max(100, was.salePrice + change) })
  await recordPriceChange(db, was, row)
  await queueTagsOfGoods(db, [row.id], now)
}

async function switchLights(db: Db, services: Services, shopId: string, opt: 'on' | 'off'): Promise<void> {
  for (const { gatewayId, clientId } of await db.find(epaDevice, sql`r.shop_id = ${shopId} and r.kind = 'light'`)) {
    const link = await db.get(deviceLink, gatewayId)
    const origin = { source: 'system' as const, reason: opt === 'on' ? '开店' : '闭店' }
    if (link)
      await requestCommand({ db, services }, findCommandDefinition('sub.power')!, link, { clientId, opt }, origin)
  }
}
