import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { apiGet, ApiError, apiPost } from '../http/http.ts'
import {
  clearSession,
  lockScreen,
  login,
  loadSession,
  logout,
  refreshTokens,
  unlockScreen,
  useSession,
} from './session.ts'
import { webSettings } from '../base/settings.ts'
import { getStoredValue } from '../base/storage.ts'
import { setToastHandler } from '../base/toast.ts'
import { tokenStorage } from '../http/tokens.ts'

type Call = { url: URL; method: string; headers: Record<string, string>; body?: object }
const calls: Call[] = []
const toasts: string[] = []
let nextAnswer: (call: Call) => { status?: number; body: unknown }

const pair = (n: number) => ({
  access_token: `access-${n}`,
  refresh_token: `refresh-${n}`,
  user_id: '7',
  tenant_id: '000123',
  account: 'boss',
  role_name: 'boss',
})

beforeEach(() => {
  freshBrowser()
  clearSession()
  calls.length = 0
  toasts.length = 0
  setToastHandler((_kind, text) => void toasts.push(text))
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = {
      url: new URL(url, 'http://shop.test'),
      method: init.method ?? 'GET',
      headers: init.headers as Record<string, string>,
      body: init.body ? (JSON.parse(init.body as string) as object) : undefined,
    }
    calls.push(call)
    const { status = 200, body } = nextAnswer(call)
    return new Response(JSON.stringify(body), { status })
  })
})

afterEach(() => void vi.unstubAllGlobals())

function olderBy(seconds: number) {
  const name = `${webSettings.storagePrefix}token`
  const record = JSON.parse(localStorage.getItem(name) as string) as { datetime: number }
  localStorage.setItem(name, JSON.stringify({ ...record, datetime: record.datetime - seconds * 1000 }))
}

describe('signing in', () => {
  test('the password leaves as md5 in the body, never in the address, with tenant and captcha in headers', async () => {
    nextAnswer = () => ({ body: pair(1) })
    await login({
      grant: 'captcha',
      tenantId: '000123',
      username: 'boss',
      password: 'admin',
      captchaKey: 'k',
      captchaCode: 'c',
    })
    const [call] = calls as [Call]
    expect(call.body).toMatchObject({
      tenantId: '000123',
      username: 'boss',
      password: '21232f297a57a5a743894a0e4a801fc3',
      scope: 'all',
    })
    expect(call.url.search).toBe('')
    expect(call.headers).toMatchObject({ 'Tenant-Id': '000123', 'Captcha-Key': 'k', 'Captcha-Code': 'c' })
    expect(call.headers).not.toHaveProperty('Dept-Id')
    expect(call.headers.Authorization).toBe(`Basic ${btoa('saber:saber_secret')}`)
  })

  test('both tokens are kept in local storage and in cookies', async () => {
    nextAnswer = () => ({ body: pair(1) })
    await login({ grant: 'password', tenantId: '0', username: 'b', password: 'p' })
    expect(getStoredValue('token')).toBe('access-1')
    expect(document.cookie).toContain('store-access-token=access-1')
    expect(document.cookie).toContain('store-refresh-token=refresh-1')
  })

  test('an answer with an error description signs nobody in', async () => {
    nextAnswer = () => ({ body: { error_code: 400, error_description: '用户名或密码错误' } })
    await expect(login({ grant: 'password', tenantId: '0', username: 'b', password: 'p' })).rejects.toThrow(
      '用户名或密码错误',
    )
    expect(tokenStorage.access()).toBe('')
  })
})

describe('the token pair', () => {
  beforeEach(async () => {
    nextAnswer = () => ({ body: pair(1) })
    await login({ grant: 'password', tenantId: '0', username: 'b', password: 'p' })
    calls.length = 0
    let n = 1
    nextAnswer = (call) => ({ body: call.url.pathname.endsWith('/token') ? pair((n += 1)) : { code: 200, data: {} } })
  })

  test('a young token is not refreshed', async () => {
    await refreshTokens()
    expect(calls).toHaveLength(0)
  })

  test('twenty requests with an old token refresh it once and all carry the new one', async () => {
    olderBy(webSettings.tokenTime)
    await Promise.all(Array.from({ length: 20 }, () => apiGet('/api/x/list')))
    expect(calls.filter((call) => call.url.pathname.endsWith('/token'))).toHaveLength(1)
    const lists = calls.filter((call) => call.url.pathname === '/api/x/list')
    expect(lists.map((call) => call.headers['Blade-Auth'])).toEqual(Array.from({ length: 20 }, () => 'bearer access-2'))
  })

  test('what another tab has fetched meanwhile is taken, not fetched again', async () => {
    olderBy(webSettings.tokenTime)
    tokenStorage.set('access-of-other-tab', 'refresh-of-other-tab')
    await refreshTokens()
    expect(calls).toHaveLength(0)
    expect(useSession.getState().token).toBe('access-of-other-tab')
  })

  test('a refused refresh ends the session and keeps no token', async () => {
    olderBy(webSettings.tokenTime)
    nextAnswer = () => ({ status: 401, body: { code: 401, msg: '令牌授权已过期' } })
    await expect(refreshTokens()).rejects.toBeInstanceOf(ApiError)
    expect(tokenStorage.access()).toBe('')
    expect(useSession.getState().token).toBe('')
  })
})

describe('a session that ends', () => {
  const come = async () => {
    nextAnswer = () => ({ body: pair(1) })
    await login({ grant: 'password', tenantId: '0', username: 'b', password: 'p' })
  }
  const over = (ended?: string) => ({
    status: 401,
    body: { code: 401, msg: '请求未授权', data: { reason: 'not_signed_in', ...(ended && { ended }) } },
  })

  test(
    'keeps why for the sign-in page, without a toast, until the next one begins; servers ' +
      'that say nothing mean it has expired',
    async () => {
      await come()
      nextAnswer = () => over('administrator')
      await expect(apiGet('/api/x')).rejects.toMatchObject({ status: 401 })
      expect([useSession.getState().ended, getStoredValue('ended'), toasts]).toEqual([
        'administrator',
        'administrator',
        [],
      ])
      await come()
      expect([useSession.getState().ended, getStoredValue('ended')]).toEqual([undefined, undefined])
      nextAnswer = () => over()
      await apiGet('/api/x').catch(() => {})
      expect(useSession.getState().ended).toBe('expired')
    },
  )

  test('because its renewal was refused says why too', async () => {
    await come()
    olderBy(webSettings.tokenTime)
    nextAnswer = (call) => (call.url.pathname.endsWith('/token') ? over('password') : over('expired'))
    await apiGet('/api/x').catch(() => {})
    expect([useSession.getState().ended, tokenStorage.access()]).toEqual(['password', ''])
  })

  test('does not because a renewal got no answer', async () => {
    await come()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    olderBy(webSettings.tokenTime)
    await expect(refreshTokens()).rejects.toMatchObject({ status: 0 })
    expect([useSession.getState().ended, tokenStorage.access()]).toEqual([undefined, 'access-1'])
  })

  test('is not the one that began since: a late refusal of former tokens changes nothing', async () => {
    await come()
    nextAnswer = () => {
      tokenStorage.set('access-2', 'refresh-2')
      return over('expired')
    }
    await apiGet('/api/x').catch(() => {})
    expect([tokenStorage.access(), useSession.getState().ended]).toEqual(['access-2', undefined])
  })

  test('on purpose says nothing', async () => {
    await come()
    nextAnswer = () => ({ body: {} })
    await logout()
    expect([useSession.getState().ended, getStoredValue('ended')]).toEqual([undefined, undefined])
  })
})

describe('answers', () => {
  test('the payload comes out of its envelope, a bare body as it is', async () => {
    nextAnswer = () => ({ body: { code: 200, success: true, data: [1], msg: '' } })
    expect(await apiGet('/api/x')).toEqual([1])
    nextAnswer = () => ({ body: { key: 'k', image: 'i' } })
    expect(await apiGet('/api/captcha')).toEqual({ key: 'k', image: 'i' })
  })

  test('a refusal shows msg, else the error description, else 未知错误', async () => {
    for (const body of [{ code: 400, msg: '不行' }, { code: 400, error_description: '不对' }, { code: 400 }]) {
      nextAnswer = () => ({ body })
      await expect(apiPost('/api/x')).rejects.toBeInstanceOf(ApiError)
    }
    expect(toasts).toEqual(['不行', '不对', '未知错误'])
  })

  test('a caller that asked for quiet gets the refusal and no toast', async () => {
    nextAnswer = () => ({ status: 403, body: { code: 403, msg: '没有权限', data: { a: 1 } } })
    await expect(apiGet('/api/x', {}, { quiet: true })).rejects.toMatchObject({
      status: 403,
      msg: '没有权限',
      data: { a: 1 },
    })
    expect(toasts).toEqual([])
  })

  test('a whitelisted code rejects without a word', async () => {
    webSettings.silentCodes.push(460)
    nextAnswer = () => ({ body: { code: 460, msg: 'x' } })
    await expect(apiGet('/api/x')).rejects.toBeInstanceOf(ApiError)
    webSettings.silentCodes.pop()
    expect(toasts).toEqual([])
  })

  test('code 401 ends the session, 403 does not', async () => {
    nextAnswer = () => ({ body: pair(1) })
    await login({ grant: 'password', tenantId: '0', username: 'b', password: 'p' })
    nextAnswer = () => ({ body: { code: 403, msg: 'no' } })
    await apiGet('/api/x').catch(() => {})
    expect(useSession.getState().token).toBe('access-1')
    nextAnswer = () => ({ body: { code: 401, msg: 'no' } })
    await apiGet('/api/x').catch(() => {})
    expect(useSession.getState().token).toBe('')
  })
})

test('the user gets roles, menus and buttons, and menus of other roles stay away', async () => {
  nextAnswer = (call) => {
    if (!call.url.pathname.endsWith('/held')) return { body: { code: 200, data: [] } }
    const routes = [
      { id: 1, name: '门店', path: '/shop' },
      { id: 2, name: '机密', path: '/x', meta: { roles: ['administrator'] } },
    ]
    return { body: { code: 200, data: { roles: ['boss'], routes, topMenus: [], buttons: ['shop_add'] } } }
  }
  await loadSession()
  const { ready, menuAll, permissions } = useSession.getState()
  expect(ready).toBe('yes')
  expect(menuAll.map((menu) => menu.path)).toEqual(['/shop/index'])
  expect(permissions).toEqual({ shop_add: true })
})

test('the lock opens with its password and no other, and is not kept as typed', () => {
  lockScreen('geheim')
  expect(JSON.stringify({ ...localStorage })).not.toContain('geheim')
  expect(unlockScreen('falsch')).toBe(false)
  expect(useSession.getState().locked).toBe(true)
  expect(unlockScreen('geheim')).toBe(true)
  expect(useSession.getState().locked).toBe(false)
})
