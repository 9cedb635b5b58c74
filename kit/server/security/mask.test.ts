import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { mask, maskBody, masked, maskUrl } from './mask.ts'

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('what is logged', () => {
  it.each([
    ['password', 'e10adc39'], ['newPassword1', 'x'], ['refresh_token', 'x'], ['Blade-Auth', 'bearer x'], ['Authorization', 'Basic x'],
    ['clientSecret', 'x'], ['secretKey', 'x'], ['apiV3Key', 'x'], ['Cookie', 'a=b'], ['captcha-code', 'x'], ['secrets', ['a', 'b']],
  ])('never holds %s', (name, value) => expect(mask({ [name]: value })).toEqual({ [name]: masked }))

  it.each([
    ['phone', '13812345678', '138****5678'],
    ['mobiles', '13812345678,13912345678', '138****5678,139****5678'],
    ['bankAccount', '6222021234567890', '************7890'],
    ['idCardNo', '310101199001011234', '**************1234'],
    ['email', 'wang@example.com', 'w***@example.com'],
  ])('shows of %s only enough to recognise it', (name, value, shown) => expect(mask({ [name]: value })).toEqual({ [name]: shown }))

  it('keeps what is neither: empty values, quotas, names, codes', () => {
    const plain = { password: '', accountNumber: 200, name: '王建国', code: 'order_edit', phone: '', list: [1, null, true] }
    expect(mask(plain)).toEqual(plain)
  })

  it('is masked at any depth, and cut where it is deep, long or many', () => {
    const deep: Record<string, unknown> = {}
    let inner = deep
    for (let i = 0; i < 10_000; i++) inner = inner.x = {}
    expect(JSON.stringify(mask(deep)).length).toBeLessThan(200)
    expect(mask({ a: [{ b: { token: 'x' } }] })).toEqual({ a: [{ b: { token: masked } }] })
    expect(mask({ text: 'x'.repeat(5_000) }).text).toHaveLength(2_001)
    expect(mask(Array.from({ length: 500 }, (_, i) => i))).toHaveLength(101)
  })

  it('holds no token in the middle of a text', () => {
    expect(mask({ note: `sent ${token} to bearer abcdefghijkl` })).toEqual({ note: `sent ${masked} to bearer ${masked}` })
  })

  it('holds no password that a text sets', () => {
    expect(mask({ stack: 'at save (/a?access_token=abc&x=1) password=hunter2' })).toEqual({ stack: `at save (/a?access_token=${masked}&x=1) password=${masked}` })
    expect(mask({ text: 'the token expired; x=1' })).toEqual({ text: 'the token expired; x=1' })
  })

  it('holds no value whose key beside it names a secret', () => {
    expect(mask({ paramKey: 'account.initPassword', paramValue: '123456' })).toEqual({ paramKey: 'account.initPassword', paramValue: masked })
    expect(mask({ paramKey: 'account.failCount', paramValue: '5' })).toEqual({ paramKey: 'account.failCount', paramValue: '5' })
  })

  it('holds no password or token of an address', () => {
    expect(maskUrl(`/api/token?username=boss&password=e10adc&Blade-Auth=bearer%20${token}&phone=13812345678&q=%E5%BA%97`))
      .toBe('/api/token?username=boss&password=******&Blade-Auth=******&phone=138****5678&q=%E5%BA%97')
    expect(maskUrl('/a?b&%zz=1')).toBe('/a?b&%zz=1')
  })

  it('holds no secret of a body, JSON or not', () => {
    expect(maskBody('{"password":"x","n":1}')).toBe('{"password":"******","n":1}')
    expect(maskBody(`token ${token}`)).toBe(`token ${masked}`)
  })
})

describe('the log', () => {
  function lines(format: 'json' | 'terminal') {
    const written: string[] = []
    return { written, log: createLog({ format, colour: false, destination: { write: (line: string) => void written.push(line) } }) }
  }

  it('is masked for machines', () => {
    const { written, log } = lines('json')
    log.info({ headers: { authorization: 'Basic x' }, err: new Error(`refused ${token}`) }, 'answered')
    const entry = JSON.parse(written[0]!)
    expect(entry).toMatchObject({ msg: 'answered', headers: { authorization: masked }, err: { type: 'Error', message: `refused ${masked}` } })
    expect(written[0]).not.toContain(token)
  })

  it('is one readable line on a terminal, with the stack below', () => {
    const { written, log } = lines('terminal')
    log.child({ part: 'jobs' }).warn({ phone: '13812345678', err: new Error('no answer') }, 'tried again')
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d warn {2}tried again part=jobs phone=138\*{4}5678\nError: no answer\n {4}at /)
  })
})
