import { create } from 'zustand'
import { onSessionStart, onSessionEnd } from '#kit/web/session/session.ts'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'

export const HOME_PATH = '/wel/index'

export type OpenTab = {
  /** Path without query; there is one tab per path. */
  key: string
  /** Full address of the tab, with its query and hash. */
  address: string
  /** Title set by the page itself. */
  title?: string
  /** Increased to remount the page. */
  round: number
}

type Tabs = { open: OpenTab[]; active: string; recent: string[] }

const home = (): OpenTab => ({ key: HOME_PATH, address: HOME_PATH, round: 0 })
const CEILING = 12

function remembered(): OpenTab[] {
  const tabs = getStoredValue<OpenTab[]>('tabs') ?? []
  return tabs.some((tab) => tab.key === HOME_PATH) ? tabs : [home(), ...tabs]
}

export const useOpenTabs = create<Tabs>()(() => ({ open: remembered(), active: '', recent: [] }))

const { setState, getState } = useOpenTabs

function put(open: OpenTab[], active = getState().active) {
  const recent = [active, ...getState().recent.filter((key) => key !== active)].filter((key) =>
    open.some((tab) => tab.key === key),
  )
  setState({ open, active, recent })
  setStoredValue('tabs', open, 'session')
}

/** Shows an address in the tab of its path, or in a new tab. */
export function showInTab(key: string, address: string) {
  const { open } = getState()
  const isOpen = open.some((tab) => tab.key === key)
  const next = isOpen
    ? open.map((tab) => (tab.key === key ? { ...tab, address } : tab))
    : [...open, { key, address, round: 0 }]
  put(next, key)
}

/** Returns whether a tab can be closed: the home tab only if it is the only one, others only if there are more. */
export const isClosableTab = (open: OpenTab[], key: string) => (key === HOME_PATH ? open.length === 1 : open.length > 1)

/** Closes a tab. Returns the address to go to; undefined if the active tab stays. */
export function closeOneTab(key: string): string | undefined {
  const { open, active } = getState()
  if (!isClosableTab(open, key)) return undefined
  if (key === HOME_PATH) {
    redrawTab(HOME_PATH)
    return HOME_PATH
  }
  const at = open.findIndex((tab) => tab.key === key)
  const rest = open.filter((tab) => tab.key !== key)
  const neighbour = rest[at] ?? rest[at - 1] ?? home()
  put(rest, active === key ? neighbour.key : active)
  return active === key ? neighbour.address : undefined
}

/** Closes all tabs except the home tab and the given one. */
export function closeOtherTabs(key: string) {
  put(
    getState().open.filter((tab) => tab.key === HOME_PATH || tab.key === key),
    key,
  )
}

/** Closes all tabs, opens the home tab and returns its path. */
export function closeAllTabs() {
  put([home()], HOME_PATH)
  return HOME_PATH
}

export function redrawTab(key: string) {
  put(getState().open.map((tab) => (tab.key === key ? { ...tab, round: tab.round + 1 } : tab)))
}

export function setTabTitle(key: string, title: string) {
  const tab = getState().open.find((each) => each.key === key)
  if (tab && tab.title !== title) put(getState().open.map((each) => (each === tab ? { ...each, title } : each)))
}

/** Returns the tabs whose pages stay mounted: the most recently used ones, which limits memory. */
export function tabsToKeepMounted({ open, recent }: Tabs) {
  const alive = new Set(recent.slice(0, CEILING))
  return open.filter((tab) => alive.has(tab.key))
}

onSessionStart(() => void closeAllTabs())
onSessionEnd(() => setState({ open: [home()], active: '', recent: [] }))
