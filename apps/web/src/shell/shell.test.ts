import { freshBrowser } from '#kit/web/testing/browser.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { HttpError } from '#kit/web/http.ts'
import { screenSize } from '#kit/web/screen.ts'
import { avatarProblem } from '../pages/avatar.ts'
import { handOver, redirectOf, withRedirect } from '../login/paths.ts'
import { wrongIn } from '../login/registration.ts'
import { tabNames } from './directory.ts'
import { clearLog, logError, useErrorLog } from './error-log.ts'
import { closable, close, closeAll, closeOthers, HOME, kept, useTabs, visit } from './tabs.ts'
import { titleOf } from './titles.ts'

const keys = () => useTabs.getState().open.map((tab) => tab.key)

describe('titles', () => {
  test('the window is called after the page and the product, in the language of the screen', () => {
    expect(titleOf('订单', 'zh')).toBe('订单 - 无人店管理平台')
    expect(titleOf('Orders', 'en')).toBe('Orders - Store Office')
    expect(titleOf('', 'zh')).toBe('无人店管理平台')
  })
})

describe('tabs', () => {
  beforeEach(() => {
    freshBrowser()
    closeAll()
  })

  test('a page visited twice has one tab, standing at the later address', () => {
    visit('/a', '/a?x=1')
    visit('/a', '/a?x=2')
    expect(keys()).toEqual([HOME, '/a'])
    expect(useTabs.getState().open[1]?.address).toBe('/a?x=2')
  })

  test('the home tab closes only while it is alone, others while more than one is open', () => {
    const { open } = useTabs.getState()
    expect(closable(open, HOME)).toBe(true)
    visit('/a', '/a')
    expect(closable(useTabs.getState().open, HOME)).toBe(false)
    expect(closable(useTabs.getState().open, '/a')).toBe(true)
    expect(close(HOME)).toBeUndefined()
    expect(keys()).toEqual([HOME, '/a'])
  })

  test('closing the open tab leads to its neighbour, closing another leads nowhere', () => {
    visit('/a', '/a')
    visit('/b', '/b?q=1')
    visit('/a', '/a')
    expect(close('/a')).toBe('/b?q=1')
    visit('/c', '/c')
    expect(close('/b')).toBeUndefined()
  })

  test('closing others keeps home and this one, closing all leads home', () => {
    visit('/a', '/a')
    visit('/b', '/b')
    closeOthers('/a')
    expect(keys()).toEqual([HOME, '/a'])
    expect(closeAll()).toBe(HOME)
    expect(keys()).toEqual([HOME])
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
      const names = [...tabNames(open, []).values()]
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
    for (let n = 0; n < 20; n += 1) visit(`/p${n}`, `/p${n}`)
    const alive = kept(useTabs.getState()).map((tab) => tab.key)
    expect(alive).toHaveLength(12)
    expect(alive).toContain('/p19')
    expect(alive).not.toContain('/p0')
    expect(keys()).toHaveLength(21)
  })
})

describe('the error log', () => {
  beforeEach(() => {
    freshBrowser()
    clearLog()
  })

  test('keeps address, time, message, stack and info, the newest first', () => {
    logError(new Error('first'))
    logError('second', 'somewhere')
    expect(useErrorLog.getState().entries.map((entry) => entry.message)).toEqual(['second', 'first'])
    expect(useErrorLog.getState().entries[0]).toMatchObject({
      type: 'error',
      info: 'somewhere',
      url: 'http://shop.test/',
    })
  })

  test('refused requests are no errors of the screen', () => {
    logError(new HttpError(403, 'no'))
    expect(useErrorLog.getState().entries).toEqual([])
  })
})

describe('the way in', () => {
  test('after signing in one gets to where one wanted, and never out of the application', () => {
    expect(redirectOf(new URL(`http://x${withRedirect('/shop/order?a=1')}`).search)).toBe('/shop/order?a=1')
    for (const evil of ['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:alert(1)', '/login']) {
      expect(redirectOf(`?redirect=${encodeURIComponent(evil)}`)).toBe('/')
    }
  })

  test('a third party hands over code and state, by query or by path', () => {
    expect(handOver('/login', '?source=github&code=c&state=s')).toEqual({ source: 'github', code: 'c', state: 's' })
    expect(handOver('/oauth/redirect/gitee', '?code=c&state=s')).toEqual({ source: 'gitee', code: 'c', state: 's' })
    expect(handOver('/login', '?code=c')).toBeUndefined()
  })

  test('a registration says what is missing, in the order of the form', () => {
    const full = { tenantId: '1', name: 'n', account: 'a', password: 'p', password2: 'p' }
    const say = (change: Partial<typeof full>) => wrongIn({ ...full, ...change })?.words.zh
    expect(say({ tenantId: '', account: '' })).toBe('请先输入租户编号')
    expect(say({ account: '' })).toBe('请先输入账号名称')
    expect(say({ password: '' })).toBe('请先输入密码')
    expect(say({ password2: 'q' })).toBe('两次密码输入不一致')
    expect(say({})).toBeUndefined()
  })
})

test('an avatar is a jpg or png of at most 500 KB', () => {
  expect(avatarProblem({ type: 'image/png', size: 512_000 })).toBeUndefined()
  expect(avatarProblem({ type: 'image/png', size: 512_001 })).toBe('info.avatar.size')
  expect(avatarProblem({ type: 'image/gif', size: 10 })).toBe('info.avatar.type')
})

test('screens fall into four sizes', () => {
  expect([360, 767, 768, 991, 992, 1199, 1200, 1920].map(screenSize)).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
})
