import { createDoors, type DoorSettings } from './doors.ts'
import { createPower, switchesOf } from './power.ts'
import { createPrinters } from './printers.ts'
import type { Body, Credentials, DevicePayload, Kind, Method } from './protocol.ts'
import { createScreen, type Upload } from './screen.ts'
import { createShell } from './shell.ts'
import { createSpeaker, type Download } from './speaker.ts'
import { createTags } from './tags.ts'
import { createVisits } from './visits.ts'

/** Parts of a device whose credentials name none. */
const USUAL: Record<Kind, { doors: number; tags: number; printers: string[]; switches: number }> = {
  gateway: { doors: 1, tags: 20, printers: ['P1'], switches: 3 },
  power: { doors: 0, tags: 0, printers: [], switches: 3 },
  register: { doors: 0, tags: 0, printers: ['P1'], switches: 0 },
}

type Options = {
  credentials: Credentials
  settings: (doorNo: number) => DoorSettings & { absentOffice: 'refuse' | 'open' }
  fw: () => string
  uptimeSeconds: () => number
  fetchBytes: Download
  put: Upload
  ask: (type: string, data: DevicePayload, done: (answer: DevicePayload | undefined) => void) => void
}

type Claiming = {
  doors: ReturnType<typeof createDoors>
  power: ReturnType<typeof createPower>
  tags: ReturnType<typeof createTags>
  printers: ReturnType<typeof createPrinters>
}

/** The results that a device with the fault `lying` reports. */
const claimsOf = (
  { doors, power, tags, printers }: Claiming,
  fw: () => string,
): Record<string, (params: DevicePayload) => DevicePayload> => ({
  'door.control': doors.claim,
  'door.forceClose': doors.claim,
  'door.status': () => ({ doors: doors.state() }),
  'sub.power': power.claim,
  'tag.update': tags.claim,
  'print.raw': printers.claim,
  'shell.exec': () => ({ exitCode: 0 }),
  'time.sync': () => ({ offsetMs: 0 }),
  'info.sync': () => ({ fw: fw(), subs: [] }),
  'reg.screenshot': () => ({ size: 1 }),
})

/** Creates the parts of a device, by its kind and its credentials. */
export function createParts(body: Body, options: Options) {
  const { credentials, settings, fw, fetchBytes } = options
  const { clientId, kind } = credentials
  const plan = { ...USUAL[kind], ...credentials }
  const tagIds = Array.isArray(plan.tags)
    ? plan.tags
    : Array.from({ length: plan.tags }, (_, at) => `${clientId}-T${String(at + 1).padStart(2, '0')}`)
  const doors = createDoors(body, plan.doors, settings, () => visits.inside())
  const visits = createVisits(body, {
    ask: options.ask,
    openFor: doors.openFor,
    opensUnasked: (doorNo) => settings(doorNo).absentOffice === 'open',
  })
  const power = createPower(body, switchesOf(clientId, plan.switches), kind, fw)
  const tags = createTags(body, tagIds)
  const printers = createPrinters(body, plan.printers)
  const speaker = createSpeaker(body, fetchBytes)
  const shell = createShell(body, options.uptimeSeconds)
  const methods: Record<string, Method> = {
    ...(plan.doors ? doors.methods : {}),
    ...(tagIds.length ? tags.methods : {}),
    ...(plan.printers.length ? printers.methods : {}),
    ...(kind === 'power' ? {} : speaker.methods),
    ...(kind === 'register' ? createScreen(body, options.put).methods : {}),
    ...(plan.switches ? power.methods : {}),
    ...shell.methods,
    'info.sync': () => (end) => end({ code: 0, data: { pieces: power.infoParts(tags.ids()) } }),
  }

  return {
    doors,
    visits,
    power,
    tags,
    printers,
    speaker,
    methods,
    claims: claimsOf({ doors, power, tags, printers }, fw),
    state: (): DevicePayload => ({
      ...(plan.doors ? { doors: doors.state(), inside: visits.inside() } : {}),
      ...(plan.switches ? { power: power.state() } : {}),
      ...(tagIds.length ? { tags: tags.state() } : {}),
      ...(kind === 'power' ? {} : { speaker: speaker.state() }),
    }),
    report: (): void => {
      power.report()
      tags.report()
    },
    powerCut(): void {
      doors.powerCut()
      tags.forget()
      speaker.powerCut()
      shell.powerCut()
    },
  }
}

export type Parts = ReturnType<typeof createParts>
