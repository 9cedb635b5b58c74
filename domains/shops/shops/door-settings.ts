/** How long a door stays open before it locks, and how long before it is reported as left open; seconds. Any side. */
export const DOOR_RELOCK_SECONDS_RANGE = { min: 1, max: 120, usual: 5 } as const
export const DOOR_HELD_OPEN_SECONDS_RANGE = { min: 10, max: 3600, usual: 60 } as const
export const ABSENT_OFFICE_MODES = ['refuse', 'open'] as const
const DOORS_MAX = 99

/** What one door does otherwise than the shop's settings say; what is absent is as they say. */
export type DoorSetting = {
  doorNo: number
  relockSeconds?: number
  heldSeconds?: number
  absentOffice?: (typeof ABSENT_OFFICE_MODES)[number]
}

const KEYS = new Set(['doorNo', 'relockSeconds', 'heldSeconds', 'absentOffice'])
const isWithin = (value: unknown, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max

function isDoorSetting(one: unknown): one is DoorSetting {
  if (typeof one !== 'object' || one === null || Object.keys(one).some((key) => !KEYS.has(key))) return false
  const { doorNo, relockSeconds, heldSeconds, absentOffice } = one as Partial<DoorSetting>
  return (
    isWithin(doorNo, { min: 1, max: DOORS_MAX }) &&
    (relockSeconds === undefined || isWithin(relockSeconds, DOOR_RELOCK_SECONDS_RANGE)) &&
    (heldSeconds === undefined || isWithin(heldSeconds, DOOR_HELD_OPEN_SECONDS_RANGE)) &&
    (absentOffice === undefined || ABSENT_OFFICE_MODES.includes(absentOffice))
  )
}

/** A list of doors, each once. */
export const isDoorSettings = (value: unknown): value is DoorSetting[] =>
  Array.isArray(value) &&
  value.length <= DOORS_MAX &&
  value.every(isDoorSetting) &&
  new Set(value.map(({ doorNo }) => doorNo)).size === value.length

type OfShop = { doorHoldSeconds: number | null; heldSeconds: number | null; absentOffice: string | null }

/** The doors of a shop that are set apart, from its settings as they are stored. */
export const settingsApart = (stored: unknown): readonly DoorSetting[] => (isDoorSettings(stored) ? stored : [])

/** What a door does: as it was set apart, else as the shop's settings say. */
export function resolveDoorSetting(conf: OfShop, own?: DoorSetting): Required<Omit<DoorSetting, 'doorNo'>> {
  return {
    relockSeconds: own?.relockSeconds ?? conf.doorHoldSeconds ?? DOOR_RELOCK_SECONDS_RANGE.usual,
    heldSeconds: own?.heldSeconds ?? conf.heldSeconds ?? DOOR_HELD_OPEN_SECONDS_RANGE.usual,
    absentOffice: own?.absentOffice ?? (conf.absentOffice === 'open' ? 'open' : 'refuse'),
  }
}
