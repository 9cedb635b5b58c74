import SparkMD5 from 'spark-md5'
import { create } from 'zustand'
import { endOf, get, HttpError, post, sessionHooks } from '../http.ts'
import type { OwnFields } from '#kit/resource/custom-fields.ts'
import { onLanguageChange } from '../language.tsx'
import { once } from './lock.ts'
import { userOf, type SessionUser } from './session-user.ts'
import { menusForRoles, processMenus } from '../menus.ts'
import type { Menu, WireMenu } from '../menus.ts'
import { mocked } from './mock-mode.ts'
import { settings } from '../settings.ts'
import { removeStored, setStored, getStored, watchOtherTabs } from '../storage.ts'
import { toast } from '../parts/toast.ts'
import { tokens } from '../theme/tokens.ts'

export const md5 = (text: string) => SparkMD5.hash(text)

const OAUTH = '/api/blade-auth/oauth'

type TopMenu = { id: string; name: string; source: string; code: string; path?: string }

type TokenAnswer = Record<string, string> & { access_token: string; refresh_token: string }

/** The ways in. Passwords arrive as typed and leave as md5. */
export type Credentials =
  | {
      grant: 'password' | 'captcha'
      tenantId: string
      username: string
      password: string
      captchaKey?: string
      captchaCode?: string
      deptId?: string
      roleId?: string
    }
  | { grant: 'story'; tenantId: string; account: string }
  | { grant: 'social'; tenantId: string; source: string; code: string; state: string }
  | { grant: 'authorization_code'; tenantId: string; code: string; redirectUri: string }

/** What somebody is limited to, with the one row of it where there is one alone. */
export type Limits = { readonly [limit in string]?: { readonly only?: string } }

type Lock = { salt: string; hash: string }

type SessionState = {
  token: string
  user: SessionUser | undefined
  roles: string[]
  permissions: Record<string, true>
  /** What the user is limited to, such as shops. */
  limits: Limits
  /** Fields the user's tenant added to families. */
  own: OwnFields
  /** Menus of the chosen top menu, as the sidebar shows them. */
  menus: Menu[]
  /** Every menu of the user, whatever the top menu. */
  menuAll: Menu[]
  topMenus: TopMenu[]
  topMenuId: string
  /** Names of workflow routes by `code_dictKey`. */
  flowRoutes: Record<string, string>
  locked: boolean
  /** The user left on purpose; the way back in does not lead to where they were. */
  left: boolean
  /** Why the last session of this browser ended, until the next begins; unless somebody left on purpose. */
  ended: string | undefined
  ready: 'no' | 'loading' | 'yes' | 'failed'
}

const empty = {
  token: '',
  user: undefined,
  roles: [],
  permissions: {},
  limits: {},
  own: {},
  menus: [],
  menuAll: [],
  topMenus: [],
  topMenuId: '',
  flowRoutes: {},
  locked: false,
  left: false,
  ended: undefined,
  ready: 'no' as const,
}

export const useSession = create<SessionState>()(() => ({
  ...empty,
  token: tokens.access(),
  user: getStored<SessionUser>('userInfo'),
  locked: !!getStored('lock'),
  ended: getStored<string>('ended'),
}))

const set = useSession.setState
const state = useSession.getState
const leaving = new Set<() => void>()
const entering = new Set<() => void>()

/** Calls back when the session ends; a query cache or a list of tabs must not outlive it. */
export function onLeave(listener: () => void) {
  leaving.add(listener)
  return () => void leaving.delete(listener)
}

/** Calls back when somebody has come in, or changed department or role: work begins at the home page. */
export function onEnter(listener: () => void) {
  entering.add(listener)
  return () => void entering.delete(listener)
}

function accept(answer: TokenAnswer) {
  const user = userOf(answer)
  // The tokens last: other tabs look up the user when they see the token change.
  setStored('userInfo', user)
  removeStored('ended')
  tokens.set(answer.access_token, answer.refresh_token)
  set({ token: answer.access_token, user, left: false, ended: undefined })
  return user
}

/** True for somebody a third party vouches for who has no account here yet. */
export const isGuest = (user: SessionUser | undefined) => !!user && (user.userId === '' || Number(user.userId) < 0)

type Granted = Exclude<Credentials, { grant: 'story' }>

/** In the body: addresses stand in the logs of every proxy on the way. */
function tokenBody(given: Granted) {
  const { tenantId } = given
  if (given.grant === 'social') {
    return { tenantId, grant_type: 'social', source: given.source, code: given.code, state: given.state, scope: 'all' }
  }
  if (given.grant === 'authorization_code') {
    return { tenantId, grant_type: given.grant, code: given.code, redirect_uri: given.redirectUri, scope: 'all' }
  }
  const { username, password } = given
  return { tenantId, username, password: md5(password), grant_type: given.grant, scope: 'all', type: 'account' }
}

function tokenHeaders(given: Granted): Record<string, string> {
  if (given.grant === 'social' || given.grant === 'authorization_code') return { 'Tenant-Id': given.tenantId }
  return {
    'Tenant-Id': given.tenantId,
    'Captcha-Key': given.captchaKey ?? '',
    'Captcha-Code': given.captchaCode ?? '',
    ...(settings.switchMode && { 'Dept-Id': given.deptId ?? '', 'Role-Id': given.roleId ?? '' }),
  }
}

/** Comes in. Throws HttpError with the server's sentence; shows nothing itself. */
export async function login(given: Credentials): Promise<SessionUser> {
  const options = {
    quiet: true,
    token: false as const,
    headers: given.grant === 'story' ? undefined : tokenHeaders(given),
  }
  const [path, body] =
    given.grant === 'story'
      ? ['/api/story/enter', { tenantId: given.tenantId, account: given.account }]
      : [`${OAUTH}/token`, tokenBody(given)]
  const answer = await post<TokenAnswer & { error_description?: string }>(path, { body }, options)
  if (answer.error_description || !answer.access_token) throw new HttpError(400, answer.error_description ?? '')
  clearLock()
  const user = accept(answer)
  if (!isGuest(user)) for (const listener of entering) listener()
  return user
}

/** Forgets everything about the session here, and keeps why it ended for the sign-in page; the server is not asked. */
export function leave(why?: string) {
  // Before the tokens: other tabs look it up when they see those go.
  if (why) setStored('ended', why)
  else removeStored('ended')
  tokens.clear()
  emptyScreen(why)
}

function emptyScreen(why: string | undefined) {
  for (const name of ['userInfo', 'lock', 'tabs', 'topMenu']) removeStored(name)
  removeStored('tabs', 'session')
  set({ ...empty, ended: why })
  for (const listener of leaving) listener()
}

/** Ends the session at the server and here; a server that does not answer stops nobody from leaving. */
export async function logout() {
  await get(`${OAUTH}/logout`, undefined, { basic: false, quiet: true }).catch(() => {})
  leave()
  set({ left: true })
}

/** Replaces the token pair; one tab of the browser asks, the others take what it got. */
export function refresh(place?: { deptId: string; roleId: string }): Promise<void> {
  return once(place ? 'switch-token' : 'refresh-token', async () => {
    if (!place && tokens.age() < settings.tokenTime) {
      set({ token: tokens.access() })
      return
    }
    const tenantId = state().user?.tenantId ?? settings.defaultTenant
    const used = tokens.refresh()
    const body = { tenantId, refresh_token: used, grant_type: 'refresh_token', scope: 'all' }
    const headers = {
      'Tenant-Id': tenantId,
      ...(settings.switchMode && { 'Dept-Id': place?.deptId ?? '', 'Role-Id': place?.roleId ?? '' }),
    }
    const path = mocked() ? `${OAUTH}/token/refresh` : `${OAUTH}/token`
    const answer = await post<TokenAnswer>(path, { body }, { quiet: true, token: false, headers }).catch(
      (reason: unknown) => {
        if (reason instanceof HttpError && reason.status === 401 && tokens.refresh() === used)
          leave(endOf(reason) ?? 'expired')
        else if (place && reason instanceof HttpError) toast.error(reason.msg)
        throw reason
      },
    )
    if (!answer.access_token) throw new HttpError(400, '')
    accept(answer)
    if (place) {
      clearLock()
      for (const listener of entering) listener()
    }
  })
}

/** Keeps the token young for as long as the page is open. Answers how to stop. */
export function keepTokenYoung() {
  const check = () => {
    if (state().token && !isGuest(state().user) && tokens.age() >= settings.tokenTime) refresh().catch(() => {})
  }
  check()
  const timer = setInterval(check, settings.tokenCheckEvery)
  return () => clearInterval(timer)
}

const MENU = '/api/blade-system/menu'

type SessionRights = {
  roles: string[]
  routes: WireMenu[]
  topMenus: TopMenu[]
  buttons: string[]
  limits?: Limits
  own?: OwnFields
}

async function loadHeld() {
  const held = await get<SessionRights>(`${MENU}/held`, undefined, { quiet: true })
  const { roles, routes, topMenus, buttons, limits = {}, own = {} } = held
  const menuAll = menusForRoles(processMenus(routes), roles)
  const permissions = Object.fromEntries(buttons.map((code) => [code, true as const]))
  set({ roles, menuAll, menus: menuAll, topMenus, permissions, limits, own })
  const chosen = getStored<string>('topMenu')
  if (chosen && topMenus.some((top) => top.id === chosen)) await chooseTopMenu(chosen)
}

/** Reads it again: something of it was changed. */
export const renewHeld = (): Promise<void> => (state().ready === 'yes' ? loadHeld().catch(() => {}) : Promise.resolve())

/** Loads what the shell needs to know about the user: roles, menus, buttons and workflow routes. */
export async function loadSession() {
  set({ ready: 'loading' })
  try {
    await loadHeld()
    set({ ready: 'yes' })
    void loadFlowRoutes()
  } catch (reason) {
    if (!(reason instanceof HttpError && reason.status === 401)) set({ ready: 'failed' })
  }
}

async function loadFlowRoutes() {
  const query = { code: 'flow' }
  const entries = await get<{ code: string; dictKey: string; remark: string }[]>(
    '/api/blade-system/dict/dictionary',
    query,
    { quiet: true },
  ).catch(() => [])
  if (!Array.isArray(entries)) return
  set({ flowRoutes: Object.fromEntries(entries.map((entry) => [`${entry.code}_${entry.dictKey}`, entry.remark])) })
}

/** Shows the menus of a top menu in the sidebar; an empty id shows all. */
export async function chooseTopMenu(topMenuId: string) {
  setStored('topMenu', topMenuId)
  if (!topMenuId) return set({ topMenuId, menus: state().menuAll })
  const routes = await get<WireMenu[]>(`${MENU}/routes`, { topMenuId })
  set({ topMenuId, menus: menusForRoles(processMenus(routes), state().roles) })
}

/** Locks every tab of this browser until the password is given. */
export function lockScreen(password: string) {
  const salt = crypto.getRandomValues(new Uint32Array(4)).join('')
  setStored('lock', { salt, hash: md5(salt + password) } satisfies Lock)
  set({ locked: true })
}

function clearLock() {
  removeStored('lock')
  set({ locked: false })
}

/** Opens the lock if the password is right, and says whether it was. */
export function unlockScreen(password: string) {
  const lock = getStored<Lock>('lock')
  if (lock && md5(lock.salt + password) !== lock.hash) return false
  clearLock()
  return true
}

/** Changes what the screen shows of the user, after the personal centre has saved it. */
export function amendUser(changes: Partial<SessionUser>) {
  const user = state().user
  if (!user) return
  const next = { ...user, ...changes }
  setStored('userInfo', next)
  set({ user: next })
}

sessionHooks.expired = (why = 'expired') => {
  if (state().token) leave(why)
}
sessionHooks.renew = () => refresh().catch(() => {})

/** Follows what other tabs of the browser do: coming in, leaving, locking. Answers how to stop. */
export function followOtherTabs() {
  const stops = [
    watchOtherTabs('token', () => {
      const token = tokens.access()
      const user = getStored<SessionUser>('userInfo')
      // Somebody else has come in elsewhere in this browser: nothing on this screen is theirs.
      if (token && state().user && user?.userId !== state().user?.userId) location.assign('/')
      else if (token) set({ token, user })
      // Left on purpose over there, unless that tab says otherwise.
      else if (state().token) emptyScreen(getStored<string>('ended') ?? 'elsewhere')
    }),
    watchOtherTabs('lock', () => set({ locked: !!getStored('lock') })),
    onLanguageChange(() => {
      void renewHeld()
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
