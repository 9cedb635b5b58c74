import SparkMD5 from 'spark-md5'
import { create } from 'zustand'
import { sessionEndReasonOf, apiGet, HttpError, apiPost, httpSessionHooks } from '../http.ts'
import type { CustomFieldsByResource } from '#kit/resource/custom-fields.ts'
import { onLanguageChange } from '../language.tsx'
import { runExclusiveAcrossTabs } from './lock.ts'
import { toSessionUser, type SessionUser } from './session-user.ts'
import { menusForRoles, normalizeMenus } from '../menus.ts'
import type { SidebarEntry, SidebarEntryWire } from '../menus.ts'
import { isMockMode } from './mock-mode.ts'
import { webSettings } from '../settings.ts'
import { removeStoredValue, setStoredValue, getStoredValue, onStorageChangeInOtherTab } from '../storage.ts'
import { toast } from '../parts/toast.ts'
import { tokenStorage } from '../theme/tokens.ts'

export const md5 = (text: string) => SparkMD5.hash(text)

const OAUTH = '/api/blade-auth/oauth'

type TopMenu = { id: string; name: string; source: string; code: string; path?: string }

type TokenAnswer = Record<string, string> & { access_token: string; refresh_token: string }

/** The ways in. Passwords arrive as typed and leave as md5. */
export type LoginCredentials =
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
export type UserScopeLimits = { readonly [limit in string]?: { readonly only?: string } }

type Lock = { salt: string; hash: string }

type SessionState = {
  token: string
  user: SessionUser | undefined
  roles: string[]
  permissions: Record<string, true>
  /** What the user is limited to, such as shops. */
  limits: UserScopeLimits
  /** Fields the user's tenant added to families. */
  own: CustomFieldsByResource
  /** Menus of the chosen top menu, as the sidebar shows them. */
  menus: SidebarEntry[]
  /** Every menu of the user, whatever the top menu. */
  menuAll: SidebarEntry[]
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
  token: tokenStorage.access(),
  user: getStoredValue<SessionUser>('userInfo'),
  locked: !!getStoredValue('lock'),
  ended: getStoredValue<string>('ended'),
}))

const set = useSession.setState
const state = useSession.getState
const leaving = new Set<() => void>()
const entering = new Set<() => void>()

/** Calls back when the session ends; a query cache or a list of tabs must not outlive it. */
export function onSessionEnd(listener: () => void) {
  leaving.add(listener)
  return () => void leaving.delete(listener)
}

/** Calls back when somebody has come in, or changed department or role: work begins at the home page. */
export function onSessionStart(listener: () => void) {
  entering.add(listener)
  return () => void entering.delete(listener)
}

function accept(answer: TokenAnswer) {
  const user = toSessionUser(answer)
  // The tokens last: other tabs look up the user when they see the token change.
  setStoredValue('userInfo', user)
  removeStoredValue('ended')
  tokenStorage.set(answer.access_token, answer.refresh_token)
  set({ token: answer.access_token, user, left: false, ended: undefined })
  return user
}

/** True for somebody a third party vouches for who has no account here yet. */
export const isGuestUser = (user: SessionUser | undefined) => !!user && (user.userId === '' || Number(user.userId) < 0)

type Granted = Exclude<LoginCredentials, { grant: 'story' }>

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
    ...(webSettings.switchMode && { 'Dept-Id': given.deptId ?? '', 'Role-Id': given.roleId ?? '' }),
  }
}

/** Comes in. Throws HttpError with the server's sentence; shows nothing itself. */
export async function login(given: LoginCredentials): Promise<SessionUser> {
  const options = {
    quiet: true,
    token: false as const,
    headers: given.grant === 'story' ? undefined : tokenHeaders(given),
  }
  const [path, body] =
    given.grant === 'story'
      ? ['/api/story/enter', { tenantId: given.tenantId, account: given.account }]
      : [`${OAUTH}/token`, tokenBody(given)]
  const answer = await apiPost<TokenAnswer & { error_description?: string }>(path, { body }, options)
  if (answer.error_description || !answer.access_token) throw new HttpError(400, answer.error_description ?? '')
  clearLock()
  const user = accept(answer)
  if (!isGuestUser(user)) for (const listener of entering) listener()
  return user
}

/** Forgets everything about the session here, and keeps why it ended for the sign-in page; the server is not asked. */
export function clearSession(why?: string) {
  // Before the tokens: other tabs look it up when they see those go.
  if (why) setStoredValue('ended', why)
  else removeStoredValue('ended')
  tokenStorage.clear()
  emptyScreen(why)
}

function emptyScreen(why: string | undefined) {
  for (const name of ['userInfo', 'lock', 'tabs', 'topMenu']) removeStoredValue(name)
  removeStoredValue('tabs', 'session')
  set({ ...empty, ended: why })
  for (const listener of leaving) listener()
}

/** Ends the session at the server and here; a server that does not answer stops nobody from leaving. */
export async function logout() {
  await apiGet(`${OAUTH}/logout`, undefined, { basic: false, quiet: true }).catch(() => {})
  clearSession()
  set({ left: true })
}

/** Replaces the token pair; one tab of the browser asks, the others take what it got. */
export function refreshTokens(place?: { deptId: string; roleId: string }): Promise<void> {
  return runExclusiveAcrossTabs(place ? 'switch-token' : 'refresh-token', async () => {
    if (!place && tokenStorage.age() < webSettings.tokenTime) {
      set({ token: tokenStorage.access() })
      return
    }
    const tenantId = state().user?.tenantId ?? webSettings.defaultTenant
    const used = tokenStorage.refresh()
    const body = { tenantId, refresh_token: used, grant_type: 'refresh_token', scope: 'all' }
    const headers = {
      'Tenant-Id': tenantId,
      ...(webSettings.switchMode && { 'Dept-Id': place?.deptId ?? '', 'Role-Id': place?.roleId ?? '' }),
    }
    const path = isMockMode() ? `${OAUTH}/token/refresh` : `${OAUTH}/token`
    const answer = await apiPost<TokenAnswer>(path, { body }, { quiet: true, token: false, headers }).catch(
      (reason: unknown) => {
        if (reason instanceof HttpError && reason.status === 401 && tokenStorage.refresh() === used)
          clearSession(sessionEndReasonOf(reason) ?? 'expired')
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
export function startTokenRefresh() {
  const check = () => {
    if (state().token && !isGuestUser(state().user) && tokenStorage.age() >= webSettings.tokenTime)
      refreshTokens().catch(() => {})
  }
  check()
  const timer = setInterval(check, webSettings.tokenCheckEvery)
  return () => clearInterval(timer)
}

const MENU = '/api/blade-system/menu'

type SessionRights = {
  roles: string[]
  routes: SidebarEntryWire[]
  topMenus: TopMenu[]
  buttons: string[]
  limits?: UserScopeLimits
  own?: CustomFieldsByResource
}

async function loadHeld() {
  const held = await apiGet<SessionRights>(`${MENU}/held`, undefined, { quiet: true })
  const { roles, routes, topMenus, buttons, limits = {}, own = {} } = held
  const menuAll = menusForRoles(normalizeMenus(routes), roles)
  const permissions = Object.fromEntries(buttons.map((code) => [code, true as const]))
  set({ roles, menuAll, menus: menuAll, topMenus, permissions, limits, own })
  const chosen = getStoredValue<string>('topMenu')
  if (chosen && topMenus.some((top) => top.id === chosen)) await chooseTopMenu(chosen)
}

/** Reads it again: something of it was changed. */
export const reloadSessionRights = (): Promise<void> =>
  state().ready === 'yes' ? loadHeld().catch(() => {}) : Promise.resolve()

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
  const entries = await apiGet<{ code: string; dictKey: string; remark: string }[]>(
    '/api/blade-system/dict/dictionary',
    query,
    { quiet: true },
  ).catch(() => [])
  if (!Array.isArray(entries)) return
  set({ flowRoutes: Object.fromEntries(entries.map((entry) => [`${entry.code}_${entry.dictKey}`, entry.remark])) })
}

/** Shows the menus of a top menu in the sidebar; an empty id shows all. */
export async function chooseTopMenu(topMenuId: string) {
  setStoredValue('topMenu', topMenuId)
  if (!topMenuId) return set({ topMenuId, menus: state().menuAll })
  const routes = await apiGet<SidebarEntryWire[]>(`${MENU}/routes`, { topMenuId })
  set({ topMenuId, menus: menusForRoles(normalizeMenus(routes), state().roles) })
}

/** Locks every tab of this browser until the password is given. */
export function lockScreen(password: string) {
  const salt = crypto.getRandomValues(new Uint32Array(4)).join('')
  setStoredValue('lock', { salt, hash: md5(salt + password) } satisfies Lock)
  set({ locked: true })
}

function clearLock() {
  removeStoredValue('lock')
  set({ locked: false })
}

/** Opens the lock if the password is right, and says whether it was. */
export function unlockScreen(password: string) {
  const lock = getStoredValue<Lock>('lock')
  if (lock && md5(lock.salt + password) !== lock.hash) return false
  clearLock()
  return true
}

/** Changes what the screen shows of the user, after the personal centre has saved it. */
export function updateSessionUser(changes: Partial<SessionUser>) {
  const user = state().user
  if (!user) return
  const next = { ...user, ...changes }
  setStoredValue('userInfo', next)
  set({ user: next })
}

httpSessionHooks.expired = (why = 'expired') => {
  if (state().token) clearSession(why)
}
httpSessionHooks.renew = () => refreshTokens().catch(() => {})

/** Follows what other tabs of the browser do: coming in, leaving, locking. Answers how to stop. */
export function syncSessionAcrossTabs() {
  const stops = [
    onStorageChangeInOtherTab('token', () => {
      const token = tokenStorage.access()
      const user = getStoredValue<SessionUser>('userInfo')
      // Somebody else has come in elsewhere in this browser: nothing on this screen is theirs.
      if (token && state().user && user?.userId !== state().user?.userId) location.assign('/')
      else if (token) set({ token, user })
      // Left on purpose over there, unless that tab says otherwise.
      else if (state().token) emptyScreen(getStoredValue<string>('ended') ?? 'elsewhere')
    }),
    onStorageChangeInOtherTab('lock', () => set({ locked: !!getStoredValue('lock') })),
    onLanguageChange(() => {
      void reloadSessionRights()
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
