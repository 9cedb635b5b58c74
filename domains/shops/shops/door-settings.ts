/** Limits and default of the seconds until a door locks again, and until it is reported as left open. */
export const DOOR_RELOCK_SECONDS_RANGE = { min: 1, max: 120, usual: 5 } as const
export const DOOR_HELD_OPEN_SECONDS_RANGE = { min: 10, max: 3600, usual: 60 } as const
export const ABSENT_OFFICE_MODES = ['refuse', 'open'] as const
const DOORS_MAX = 99

/** Settings of one door that differ from the shop's; missing ones are as in the shop. */
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

/** Whether a value is a list of valid door settings without duplicates. */
export const isDoorSettings = (value: unknown): value is DoorSetting[] =>
  Array.isArray(value) &&
  value.length <= DOORS_MAX &&
  value.every(isDoorSetting) &&
  new Set(value.map(({ doorNo }) => doorNo)).size === value.length

type OfShop = { doorHoldSeconds: number | null; heldSeconds: number | null; absentOffice: string | null }

/** Returns the doors with settings of their own, from the stored value. */
export const storedDoorSettings = (stored: unknown): readonly DoorSetting[] => (isDoorSettings(stored) ? stored : [])

/** Returns the settings of a door: its own, else the shop's. */
export function resolveDoorSetting(conf: OfShop, own?: DoorSetting): Required<Omit<DoorSetting, 'doorNo'>> {
  return {
    relockSeconds: own?.relockSeconds ?? conf.doorHoldSeconds ?? DOOR_RELOCK_SECONDS_RANGE.usual,
    heldSeconds: own?.heldSeconds ?? conf.heldSeconds ?? DOOR_HELD_OPEN_SECONDS_RANGE.usual,
    absentOffice: own?.absentOffice ?? (conf.absentOffice === 'open' ? 'open' : 'refuse'),
  }
}
