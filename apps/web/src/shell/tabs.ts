import { create } from 'zustand'
import { onEnter, onLeave } from '#kit/web/session/session.ts'
import { setStored, getStored } from '#kit/web/storage.ts'

export const HOME = '/wel/index'

export type OpenTab = {
  /** The path without query; there is one tab per key. */
  key: string
  /** The whole address the tab stands at. */
  address: string
  /** A title the page gave itself. */
  title?: string
  /** Raised to draw the page anew. */
  round: number
}

type Tabs = { open: OpenTab[]; active: string; recent: string[] }

const home = (): OpenTab => ({ key: HOME, address: HOME, round: 0 })
const CEILING = 12

function remembered(): OpenTab[] {
  const tabs = getStored<OpenTab[]>('tabs') ?? []
  return tabs.some((tab) => tab.key === HOME) ? tabs : [home(), ...tabs]
}

export const useTabs = create<Tabs>()(() => ({ open: remembered(), active: '', recent: [] }))

const { setState, getState } = useTabs

function put(open: OpenTab[], active = getState().active) {
  const recent = [active, ...getState().recent.filter((key) => key !== active)].filter((key) =>
    open.some((tab) => tab.key === key),
  )
  setState({ open, active, recent })
  setStored('tabs', open, 'session')
}

/** Shows an address: in the tab it already has, or in a new one. */
export function visit(key: string, address: string) {
  const { open } = getState()
  const there = open.some((tab) => tab.key === key)
  const next = there
    ? open.map((tab) => (tab.key === key ? { ...tab, address } : tab))
    : [...open, { key, address, round: 0 }]
  put(next, key)
}

/** The home tab goes only if it is alone; others while more than one is open. */
export const closable = (open: OpenTab[], key: string) => (key === HOME ? open.length === 1 : open.length > 1)

/** Closes a tab and answers the address to go to, or nothing if the active tab stays. */
export function close(key: string): string | undefined {
  const { open, active } = getState()
  if (!closable(open, key)) return undefined
  if (key === HOME) {
    renew(HOME)
    return HOME
  }
  const at = open.findIndex((tab) => tab.key === key)
  const rest = open.filter((tab) => tab.key !== key)
  const neighbour = rest[at] ?? rest[at - 1] ?? home()
  put(rest, active === key ? neighbour.key : active)
  return active === key ? neighbour.address : undefined
}

/** Closes all but the home tab and this one. */
export function closeOthers(key: string) {
  put(
    getState().open.filter((tab) => tab.key === HOME || tab.key === key),
    key,
  )
}

/** Closes everything and goes back to the home tab. */
export function closeAll() {
  put([home()], HOME)
  return HOME
}

export function renew(key: string) {
  put(getState().open.map((tab) => (tab.key === key ? { ...tab, round: tab.round + 1 } : tab)))
}

export function entitle(key: string, title: string) {
  const tab = getState().open.find((each) => each.key === key)
  if (tab && tab.title !== title) put(getState().open.map((each) => (each === tab ? { ...each, title } : each)))
}

/** The tabs whose pages are kept: the latest ones, so that a day of work does not fill the memory. */
export function kept({ open, recent }: Tabs) {
  const alive = new Set(recent.slice(0, CEILING))
  return open.filter((tab) => alive.has(tab.key))
}

onEnter(() => void closeAll())
onLeave(() => setState({ open: [home()], active: '', recent: [] }))
