import SparkMD5 from 'spark-md5'
import { create } from 'zustand'
import { sessionEndReasonOf, apiGet, ApiError, apiPost, httpSessionHooks } from '../http/http.ts'
import type { CustomFieldsByResource } from '#kit/resource/custom-fields.ts'
import { onLanguageChange } from '../base/language.tsx'
import { runExclusiveAcrossTabs } from './lock.ts'
import { toSessionUser, type SessionUser } from './session-user.ts'
import { menusForRoles, normalizeMenus, type SidebarEntry, type SidebarEntryWire } from '../base/menus.ts'
import { isMockMode } from './mock-mode.ts'
import { webSettings } from '../base/settings.ts'
import { removeStoredValue, setStoredValue, getStoredValue, onStorageChangeInOtherTab } from '../base/storage.ts'
import { toast } from '../base/toast.ts'
import { tokenStorage } from '../http/tokens.ts'

export const md5 = (text: string) => SparkMD5.hash(text)

const OAUTH = '/api/blade-auth/oauth'

type TopMenu = { id: string; name: string; source: string; code: string; path?: string }

type TokenAnswer = Record<string, string> & { access_token: string; refresh_token: string }

/** Credentials of the ways to sign in. Passwords are given as typed and sent as md5. */
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

/** The scopes a user is limited to, such as `shop`; `only` is the id if it is a single row. */
export type UserScopeLimits = { readonly [limit in string]?: { readonly only?: string } }

type Lock = { salt: string; hash: string }

type SessionState = {
  token: string
  user: SessionUser | undefined
  roles: string[]
  permissions: Record<string, true>
  /** What the user is limited to, such as shops. */
  limits: UserScopeLimits
  /** Custom fields of the user's tenant, by resource. */
  own: CustomFieldsByResource
  /** Menus of the chosen top menu, shown in the sidebar. */
  menus: SidebarEntry[]
  /** All menus of the user, whatever the top menu. */
  menuAll: SidebarEntry[]
  topMenus: TopMenu[]
  topMenuId: string
  /** Names of workflow routes by `code_dictKey`. */
  flowRoutes: Record<string, string>
  locked: boolean
  /** The user signed out on purpose, so signing in again does not return to the former page. */
  left: boolean
  /** Reason why the last session ended, until the next begins; undefined if the user signed out. */
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

/** Calls the listener when the session ends, to clear what must not outlive it, such as caches and tabs. */
export function onSessionEnd(listener: () => void) {
  leaving.add(listener)
  return () => void leaving.delete(listener)
}

/** Calls the listener when a user has signed in or changed department or role: work begins at the home page. */
export function onSessionStart(listener: () => void) {
  entering.add(listener)
  return () => void entering.delete(listener)
}

function accept(answer: TokenAnswer) {
  const user = toSessionUser(answer)
  // Tokens are stored last, because other tabs read the user when they see the token change.
  setStoredValue('userInfo', user)
  removeStoredValue('ended')
  tokenStorage.set(answer.access_token, answer.refresh_token)
  set({ token: answer.access_token, user, left: false, ended: undefined })
  return user
}

/**
 * Whether somebody signed in through a third party that is not linked to an account here yet (user id empty or
 * negative).
 */
export const isGuestUser = (user: SessionUser | undefined) => !!user && (user.userId === '' || Number(user.userId) < 0)

type Granted = Exclude<LoginCredentials, { grant: 'story' }>

/** Returns the token request's body. Credentials are not sent in the address, which proxies log. */
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

/** Signs in. Throws ApiError with the server's message and shows nothing itself. */
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
  if (answer.error_description || !answer.access_token) throw new ApiError(400, answer.error_description ?? '')
  clearLock()
  const user = accept(answer)
  if (!isGuestUser(user)) for (const listener of entering) listener()
  return user
}

/** Clears the session in this browser without asking the server; keeps the reason for the sign-in page. */
export function clearSession(why?: string) {
  // Stored before the tokens are removed, because other tabs read it when they see them go.
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

/** Signs out at the server and in this browser; a server that does not answer does not prevent it. */
export async function logout() {
  await apiGet(`${OAUTH}/logout`, undefined, { basic: false, quiet: true }).catch(() => {})
  clearSession()
  set({ left: true })
}

/**
 * Replaces the token pair, for another department and role if `place` is given. Only one tab calls the server, the
 * others use its tokens.
 */
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
        if (reason instanceof ApiError && reason.status === 401 && tokenStorage.refresh() === used)
          clearSession(sessionEndReasonOf(reason) ?? 'expired')
        else if (place && reason instanceof ApiError) toast.error(reason.msg)
        throw reason
      },
    )
    if (!answer.access_token) throw new ApiError(400, '')
    accept(answer)
    if (place) {
      clearLock()
      for (const listener of entering) listener()
    }
  })
}

/** Refreshes the token in time while the page is open. Returns a function to stop. */
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

/** Reloads roles, menus, permissions and custom fields after one of them changed. */
export const reloadSessionRights = (): Promise<void> =>
  state().ready === 'yes' ? loadHeld().catch(() => {}) : Promise.resolve()

/** Loads what the shell needs about the user: roles, menus, permissions and names of workflow routes. */
export async function loadSession() {
  set({ ready: 'loading' })
  try {
    await loadHeld()
    set({ ready: 'yes' })
    void loadFlowRoutes()
  } catch (reason) {
    if (!(reason instanceof ApiError && reason.status === 401)) set({ ready: 'failed' })
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

/** Shows the menus below a top menu in the sidebar; all for an empty id. */
export async function chooseTopMenu(topMenuId: string) {
  setStoredValue('topMenu', topMenuId)
  if (!topMenuId) return set({ topMenuId, menus: state().menuAll })
  const routes = await apiGet<SidebarEntryWire[]>(`${MENU}/routes`, { topMenuId })
  set({ topMenuId, menus: menusForRoles(normalizeMenus(routes), state().roles) })
}

/** Locks all tabs of this browser until the password is entered. */
export function lockScreen(password: string) {
  const salt = crypto.getRandomValues(new Uint32Array(4)).join('')
  setStoredValue('lock', { salt, hash: md5(salt + password) } satisfies Lock)
  set({ locked: true })
}

function clearLock() {
  removeStoredValue('lock')
  set({ locked: false })
}

/** Unlocks the screen if the password is right; returns whether it was. */
export function unlockScreen(password: string) {
  const lock = getStoredValue<Lock>('lock')
  if (lock && md5(lock.salt + password) !== lock.hash) return false
  clearLock()
  return true
}

/** Updates the displayed user data after the profile page has saved it. */
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

/** Follows sign-in, sign-out and locking in other tabs of the browser. Returns a function to stop. */
export function syncSessionAcrossTabs() {
  const stops = [
    onStorageChangeInOtherTab('token', () => {
      const token = tokenStorage.access()
      const user = getStoredValue<SessionUser>('userInfo')
      // Another user has signed in in another tab, so nothing on this screen is theirs.
      if (token && state().user && user?.userId !== state().user?.userId) location.assign('/')
      else if (token) set({ token, user })
      // The user signed out in the other tab, unless that tab stored a reason.
      else if (state().token) emptyScreen(getStoredValue<string>('ended') ?? 'elsewhere')
    }),
    onStorageChangeInOtherTab('lock', () => set({ locked: !!getStoredValue('lock') })),
    onLanguageChange(() => {
      void reloadSessionRights()
    }),
  ]
  return () => stops.forEach((stop) => stop())
}
