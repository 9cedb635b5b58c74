import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { maskForLog, SECRET_MASK, maskSecretsInText, maskUrl } from './mask.ts'

const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('what is logged', () => {
  it.each([
    ['password', 'e10adc39'],
    ['newPassword1', 'x'],
    ['refresh_token', 'x'],
    ['Blade-Auth', 'bearer x'],
    ['Authorization', 'Basic x'],
    ['clientSecret', 'x'],
    ['secretKey', 'x'],
    ['apiV3Key', 'x'],
    ['Cookie', 'a=b'],
    ['captcha-code', 'x'],
    ['secrets', ['a', 'b']],
  ])('never holds %s', (name, value) => expect(maskForLog({ [name]: value })).toEqual({ [name]: SECRET_MASK }))

  it.each([
    ['phone', '13812345678', '138****5678'],
    ['mobiles', '13812345678,13912345678', '138****5678,139****5678'],
    ['bankAccount', '6222021234567890', '************7890'],
    ['idCardNo', '310101199001011234', '**************1234'],
    ['email', 'wang@example.com', 'w***@example.com'],
  ])('shows of %s only enough to recognise it', (name, value, shown) =>
    expect(maskForLog({ [name]: value })).toEqual({ [name]: shown }),
  )

  it('hides one-time words and signatures by their whole names, people beside their phone and numbers in texts', () => {
    expect(
      maskForLog({
        pin: '1234',
        otp: 1,
        otpCode: 'x',
        sign: 'ab',
        'X-Sign': 'c',
        shipping: 'free',
        design: 'd',
        signed: 1,
      }),
    ).toEqual({
      pin: '******',
      otp: '******',
      otpCode: '******',
      sign: '******',
      'X-Sign': '******',
      shipping: 'free',
      design: 'd',
      signed: 1,
    })
    expect(maskUrl('/x?pin=12&sign=ab&shipping=1')).toBe('/x?pin=******&sign=******&shipping=1')
    expect(
      maskForLog({ user: { name: '王建国', privacy_phone: '13812345678,12', address: '杭州市文二西路1号' } }),
    ).toEqual({
      user: { name: '王**', privacy_phone: '138****5678,****', address: '杭州市文****' },
    })
    expect(maskForLog({ note: '请打13812345678，订单 913812345678' })).toEqual({
      note: '请打138****5678，订单 913812345678',
    })
  })

  it('keeps what is neither: empty values, quotas, names, codes', () => {
    const plain = {
      password: '',
      accountNumber: 200,
      name: '王建国',
      code: 'order_edit',
      phone: '',
      list: [1, null, true],
    }
    expect(maskForLog(plain)).toEqual(plain)
  })

  it('is masked at any depth, and cut where it is deep, long or many', () => {
    const deep: Record<string, unknown> = {}
    let inner = deep
    for (let i = 0; i < 10_000; i++) inner = inner.x = {}
    expect(JSON.stringify(maskForLog(deep)).length).toBeLessThan(200)
    expect(maskForLog({ a: [{ b: { token: 'x' } }] })).toEqual({ a: [{ b: { token: SECRET_MASK } }] })
    expect(maskForLog({ text: 'x'.repeat(5_000) }).text).toHaveLength(2_001)
    expect(maskForLog(Array.from({ length: 500 }, (_, i) => i))).toHaveLength(101)
  })

  it('holds no token in the middle of a text', () => {
    expect(maskForLog({ note: `sent ${token} to bearer abcdefghijkl` })).toEqual({
      note: `sent ${SECRET_MASK} to bearer ${SECRET_MASK}`,
    })
  })

  it('holds no password that a text sets', () => {
    expect(maskForLog({ stack: 'at save (/a?access_token=abc&x=1) password=hunter2' })).toEqual({
      stack: `at save (/a?access_token=${SECRET_MASK}&x=1) password=${SECRET_MASK}`,
    })
    expect(maskForLog({ text: 'the token expired; x=1' })).toEqual({ text: 'the token expired; x=1' })
  })

  it.each([
    ['{"password":"hunter2","n":1}', `{"password":"${SECRET_MASK}","n":1}`],
    ['sent {"newPass": "a\\"b", "n": 1}', `sent {"newPass": "${SECRET_MASK}", "n": 1}`],
    [
      '{"body":"{\\"oldPwd\\":\\"hun\\\\\\"ter\\",\\"n\\":1}"}',
      `{"body":"{\\"oldPwd\\":\\"${SECRET_MASK}\\",\\"n\\":1}"}`,
    ],
    [`{'clientSecret': 123456}`, `{'clientSecret': ${SECRET_MASK}}`],
    ['password: hunter2, n: 1', `password: ${SECRET_MASK}, n: 1`],
    ['{"password":"cut off in the mid', `{"password":"${SECRET_MASK}`],
    ['no route to postgres://app:hunter2@127.0.0.1/app', `no route to postgres://app:${SECRET_MASK}@127.0.0.1/app`],
    ['-eyJhbGciOiJIUzI1NiJ9.eyJz.dozj and a.b.c', `-${SECRET_MASK} and a.b.c`],
  ])('holds no password that a JSON text or an address within a text sets: %s', (text, shown) => {
    expect(maskSecretsInText(text)).toBe(shown)
    expect(maskForLog({ text })).toEqual({ text: shown })
  })

  it.each(['newPass', 'old_pass', 'pass', 'confirmPass', 'oldPwd', 'passphrase', 'pass1'])(
    'never holds %s, under its name or in a text',
    (name) => {
      expect(maskForLog({ [name]: 'hunter2' })).toEqual({ [name]: SECRET_MASK })
      expect(maskSecretsInText(`{"${name}":"hunter2"}`)).not.toContain('hunter2')
      expect(maskUrl(`/a?${name}=hunter2`)).not.toContain('hunter2')
    },
  )

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'shows %s, which anybody may send, as it is',
    (name) =>
      expect(maskForLog(JSON.parse(`{"phone":"13800000000","${name}":"x"}`))).toEqual(
        JSON.parse(`{"phone":"138****0000","${name}":"x"}`),
      ),
  )

  it.each(['isPass', 'compass', 'passed', 'bypass', 'passCount'])('takes %s for no password', (name) =>
    expect(maskForLog({ [name]: 'yes' })).toEqual({ [name]: 'yes' }),
  )

  it.each(['pwd-', 'eyJ-', 'password":"', 'bearer ', '":', '\\"', 'a.', 'token=', '://a:', '"pwd":"\\'])(
    'takes no more than a moment for however much of %j',
    (pump) => {
      const hostile = pump.repeat(1_000_000 / pump.length)
      // With a million letters quadratic time would take an hour, which cannot be mistaken for a busy machine.
      const began = process.cpuUsage()
      for (const look of [
        maskSecretsInText,
        maskUrl,
        (text: string) => maskForLog({ text, [text]: text }),
        (text: string) => maskForLog(text.split('')),
      ])
        look(hostile)
      maskUrl(`/a?${hostile}`)
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(500)
    },
  )

  it('looks at so many values of a body and no more', () => {
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]))
    expect(Object.keys(maskForLog(wide))).toHaveLength(201)
    const bushy = (depth: number): unknown => (depth ? Array.from({ length: 40 }, () => bushy(depth - 1)) : 1)
    expect(JSON.stringify(maskForLog(bushy(3))).length).toBeLessThan(50_000)
  })

  it('holds no value whose key beside it names a secret', () => {
    expect(maskForLog({ paramKey: 'account.initPassword', paramValue: '123456' })).toEqual({
      paramKey: 'account.initPassword',
      paramValue: SECRET_MASK,
    })
    expect(maskForLog({ paramKey: 'account.failCount', paramValue: '5' })).toEqual({
      paramKey: 'account.failCount',
      paramValue: '5',
    })
  })

  it('holds no password or token of an address', () => {
    expect(
      maskUrl(`/api/token?username=boss&password=e10adc&Blade-Auth=bearer%20${token}&phone=13812345678&q=%E5%BA%97`),
    ).toBe('/api/token?username=boss&password=******&Blade-Auth=******&phone=138****5678&q=%E5%BA%97')
    expect(maskUrl('/a?b&%zz=1')).toBe('/a?b&%zz=1')
  })
})

describe('the log', () => {
  function lines(format: 'json' | 'terminal') {
    const written: string[] = []
    return {
      written,
      log: createLog({ format, colour: false, destination: { write: (line: string) => void written.push(line) } }),
    }
  }

  it('is masked for machines', () => {
    const { written, log } = lines('json')
    log.info({ headers: { authorization: 'Basic x' }, err: new Error(`refused ${token}`) }, 'answered')
    const entry = JSON.parse(written[0]!)
    expect(entry).toMatchObject({
      msg: 'answered',
      headers: { authorization: SECRET_MASK },
      err: { type: 'Error', message: `refused ${SECRET_MASK}` },
    })
    expect(written[0]).not.toContain(token)
  })

  it('is one readable line on a terminal, with the stack below', () => {
    const { written, log } = lines('terminal')
    log.child({ part: 'jobs' }).warn({ phone: '13812345678', err: new Error('no answer') }, 'tried again')
    expect(written[0]).toMatch(
      /^\d\d:\d\d:\d\d warn {2}tried again part=jobs phone=138\*{4}5678\nError: no answer\n {4}at /,
    )
  })
})
