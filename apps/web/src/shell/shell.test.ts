import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/web/http/http.ts'
import { screenSizeOfWidth } from '#kit/web/base/screen.ts'
import { findAvatarProblem } from '../pages/avatar.ts'
import { parseOauthCallback, pathAfterLogin, loginPathReturningTo } from '../login/paths.ts'
import { findRegistrationProblem } from '../login/registration.ts'
import { distinctTabNames } from './directory.ts'
import { clearErrorLog, addToErrorLog, useErrorLog } from './error-log.ts'
import {
  isClosableTab,
  closeOneTab,
  closeAllTabs,
  closeOtherTabs,
  HOME_PATH,
  tabsToKeepMounted,
  useOpenTabs,
  showInTab,
} from './tabs.ts'
import { windowTitleOf } from './titles.ts'

const keys = () => useOpenTabs.getState().open.map((tab) => tab.key)

describe('titles', () => {
  test('the window is called after the page and the product, in the language of the screen', () => {
    expect(windowTitleOf('订单', 'zh')).toBe('订单 - 无人店管理平台')
    expect(windowTitleOf('Orders', 'en')).toBe('Orders - Store Office')
    expect(windowTitleOf('', 'zh')).toBe('无人店管理平台')
  })
})

describe('tabs', () => {
  beforeEach(() => {
    freshBrowser()
    closeAllTabs()
  })

  test('a page visited twice has one tab, standing at the later address', () => {
    showInTab('/a', '/a?x=1')
    showInTab('/a', '/a?x=2')
    expect(keys()).toEqual([HOME_PATH, '/a'])
    expect(useOpenTabs.getState().open[1]?.address).toBe('/a?x=2')
  })

  test('the home tab closes only while it is alone, others while more than one is open', () => {
    const { open } = useOpenTabs.getState()
    expect(isClosableTab(open, HOME_PATH)).toBe(true)
    showInTab('/a', '/a')
    expect(isClosableTab(useOpenTabs.getState().open, HOME_PATH)).toBe(false)
    expect(isClosableTab(useOpenTabs.getState().open, '/a')).toBe(true)
    expect(closeOneTab(HOME_PATH)).toBeUndefined()
    expect(keys()).toEqual([HOME_PATH, '/a'])
  })

  test('closing the open tab leads to its neighbour, closing another leads nowhere', () => {
    showInTab('/a', '/a')
    showInTab('/b', '/b?q=1')
    showInTab('/a', '/a')
    expect(closeOneTab('/a')).toBe('/b?q=1')
    showInTab('/c', '/c')
    expect(closeOneTab('/b')).toBeUndefined()
  })

  test('closing others keeps home and this one, closing all leads home', () => {
    showInTab('/a', '/a')
    showInTab('/b', '/b')
    closeOtherTabs('/a')
    expect(keys()).toEqual([HOME_PATH, '/a'])
    expect(closeAllTabs()).toBe(HOME_PATH)
    expect(keys()).toEqual([HOME_PATH])
  })

  test(
    'of two rows of one name, and of a row beside its list, are told apart; a ' + 'name that is alone stays as it is',
    () => {
      const open = [
        { key: '/order/shoppingOrder' },
        { key: '/shop/wxUser/1000000000000001234', title: '顾客' },
        { key: '/shop/wxUser/1000000000000005678', title: '顾客' },
        { key: '/goods/good/1000000000000004321', title: '可乐' },
        { key: '/dict-horizontal/index' },
        { key: '/dict-vertical/index' },
        { key: '/myiframe/https%3A%2F%2Fone.example.com%2Fa', title: '外部页面' },
        { key: '/myiframe/https%3A%2F%2Ftwo.example.com', title: '外部页面' },
        { key: '/a', title: '甲' },
        { key: '/b', title: '甲' },
      ]
      const names = [...distinctTabNames(open, []).values()]
      expect(names.slice(1)).toEqual([
        '顾客 · 1234',
        '顾客 · 5678',
        '可乐',
        '字典管理（左右）',
        '字典管理（上下）',
        '外部页面 · one.example.com',
        '外部页面 · two.example.com',
        '甲',
        '甲 (2)',
      ])
      expect(new Set(names).size).toBe(open.length)
    },
  )

  test('a day of work keeps twelve pages in memory, the latest ones', () => {
    for (let n = 0; n < 20; n += 1) showInTab(`/p${n}`, `/p${n}`)
    const alive = tabsToKeepMounted(useOpenTabs.getState()).map((tab) => tab.key)
    expect(alive).toHaveLength(12)
    expect(alive).toContain('/p19')
    expect(alive).not.toContain('/p0')
    expect(keys()).toHaveLength(21)
  })
})

describe('the error log', () => {
  beforeEach(() => {
    freshBrowser()
    clearErrorLog()
  })

  test('keeps address, time, message, stack and info, the newest first', () => {
    addToErrorLog(new Error('first'))
    addToErrorLog('second', 'somewhere')
    expect(useErrorLog.getState().entries.map((entry) => entry.message)).toEqual(['second', 'first'])
    expect(useErrorLog.getState().entries[0]).toMatchObject({
      type: 'error',
      info: 'somewhere',
      url: 'http://shop.test/',
    })
  })

  test('refused requests are no errors of the screen', () => {
    addToErrorLog(new ApiError(403, 'no'))
    expect(useErrorLog.getState().entries).toEqual([])
  })
})

describe('the way in', () => {
  test('after signing in one gets to where one wanted, and never out of the application', () => {
    expect(pathAfterLogin(new URL(`http://x${loginPathReturningTo('/shop/order?a=1')}`).search)).toBe('/shop/order?a=1')
    for (const evil of ['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)', '/login']) {
      expect(pathAfterLogin(`?redirect=${encodeURIComponent(evil)}`)).toBe('/')
    }
  })

  test('a third party hands over code and state, by query or by path', () => {
    expect(parseOauthCallback('/login', '?source=github&code=c&state=s')).toEqual({
      source: 'github',
      code: 'c',
      state: 's',
    })
    expect(parseOauthCallback('/oauth/redirect/gitee', '?code=c&state=s')).toEqual({
      source: 'gitee',
      code: 'c',
      state: 's',
    })
    expect(parseOauthCallback('/login', '?code=c')).toBeUndefined()
  })

  test('a registration says what is missing, in the order of the form', () => {
    const full = { tenantId: '1', name: 'n', account: 'a', password: 'p', password2: 'p' }
    const say = (change: Partial<typeof full>) => findRegistrationProblem({ ...full, ...change })?.words.zh
    expect(say({ tenantId: '', account: '' })).toBe('请先输入租户编号')
    expect(say({ account: '' })).toBe('请先输入账号名称')
    expect(say({ password: '' })).toBe('请先输入密码')
    expect(say({ password2: 'q' })).toBe('两次密码输入不一致')
    expect(say({})).toBeUndefined()
  })
})

test('an avatar is a jpg or png of at most 500 KB', () => {
  expect(findAvatarProblem({ type: 'image/png', size: 512_000 })).toBeUndefined()
  expect(findAvatarProblem({ type: 'image/png', size: 512_001 })).toBe('info.avatar.size')
  expect(findAvatarProblem({ type: 'image/gif', size: 10 })).toBe('info.avatar.type')
})

test('screens fall into four sizes', () => {
  expect([360, 767, 768, 991, 992, 1199, 1200, 1920].map(screenSizeOfWidth)).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
})
