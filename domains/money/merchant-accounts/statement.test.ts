import { describe, expect, it } from 'vitest'
import iconv from 'iconv-lite'
import { parseStatement, StatementUnreadableError, decodeUploadedText } from './statement.ts'

const heading =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,' +
  '应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,' +
  '手续费,费率,订单金额,申请退款金额,费率备注'
const pay =
  '`2026-11-19 10:00:00,`wx1,`190,`191,`,`T1,`SO1,`o,`NATIVE,`SUCCESS,`OTHERS,' +
  '`CNY,`12.30,`0.00,`0,`0,`0.00,`0.00,`,`,`可乐, 大瓶,`,`0.07000,`0.60%,`12.30,`0.00,`'
const refund =
  '`2026-11-19 11:00:00,`wx1,`190,`191,`,`T1,`SO1,`o,`NATIVE,`REFUND,`OTHERS,' +
  '`CNY,`0.00,`0.00,`5030,`RF1,`3.00,`0.00,`ORIGINAL,`SUCCESS,`可乐,`,`-0.02000,`0.60%,`0.00,`3.00,`'
const sums = [
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
  '`2,`12.30,`3.00,`0.00,`0.05,`12.30,`3.00',
]
const text = (...lines: string[]) => `\uFEFF${lines.join('\r\n')}\r\n`

describe('a statement of the payment platform', () => {
  it('is read by its headings: payments, refunds, fees, with commas inside a name', async () => {
    expect(await parseStatement(text(heading, pay, refund, ...sums))).toEqual([
      {
        kind: 'pay',
        time: '2026-11-19 10:00:00',
        transactionNo: 'T1',
        orderNo: 'SO1',
        refundNo: '',
        refundThere: '',
        amount: 1230,
        fee: 7,
      },
      {
        kind: 'refund',
        time: '2026-11-19 11:00:00',
        transactionNo: 'T1',
        orderNo: 'SO1',
        refundNo: 'RF1',
        refundThere: '5030',
        amount: 300,
        fee: -2,
      },
    ])
  })
  it.each([
    ['0.14500', 15],
    ['0.28500', 29],
    ['-0.57500', -58],
    ['0.14499', 14],
    ['1.5', 150],
    ['3', 300],
  ])('names a fee of %s, half a cent up as the bill counts it', async (fee, cents) => {
    expect((await parseStatement(text(heading, pay.replace('0.07000', fee))))[0]!.fee).toBe(cents)
  })
  it('refuses a trade without a number, which would be taken for any other one', async () => {
    for (const line of [pay, refund])
      await expect(parseStatement(text(heading, line.replace('`T1', '`'), ...sums))).rejects.toThrow(
        StatementUnreadableError,
      )
  })
  it('of many lines lets others have their turn while it is read', async () => {
    let turns = 0
    const count = setInterval(() => turns++, 0)
    expect(await parseStatement(text(heading, ...Array<string>(20_000).fill(pay)))).toHaveLength(20_000)
    clearInterval(count)
    expect(turns).toBeGreaterThan(4)
  })
  it('is read as any program saved it: in GBK, with the line ends of any system, in pieces cut anywhere', async () => {
    const whole = text(heading, pay, refund, ...sums)
    const parsed = await parseStatement(whole)
    expect(parsed).toHaveLength(2)
    const gbk = iconv.encode(whole.slice(1), 'gbk')
    expect(await parseStatement(decodeUploadedText(gbk))).toEqual(parsed)
    expect(await parseStatement(decodeUploadedText(Buffer.from(whole)))).toEqual(parsed)
    for (const end of ['\r', '\n', '\r\n']) {
      const saved = whole.replaceAll('\r\n', end)
      expect(await parseStatement(saved)).toEqual(parsed)
      expect(await parseStatement([...saved])).toEqual(parsed)
    }
  })
  it('tells of a payment that was taken back at the till what went back, and passes none over silently', async () => {
    const revoked = (amount: string) => refund.replace('REFUND', 'REVOKED').replace('`3.00,`0.00', `\`${amount},\`0.00`)
    expect(await parseStatement(text(heading, revoked('3.00')))).toMatchObject([{ kind: 'refund', amount: 300 }])
    expect(await parseStatement(text(heading, revoked('0.00')))).toEqual([])
    await expect(parseStatement(text(heading, pay.replace('SUCCESS', 'FROZEN')))).rejects.toThrow(/FROZEN/)
  })
  it('of a day without trade is empty', async () => {
    expect(await parseStatement(text(heading))).toEqual([])
  })
  it.each([
    ['nothing at all', '', /交易时间/],
    ['another file', 'a,b,c\r\n1,2,3', /微信订单号/],
    ['a line that is cut off', text(heading, pay.slice(0, 4)), /2026|“/],
    ['lines missing from what its sums say', text(heading, pay, ...sums), /合计的笔数 2 ≠ 1/],
    ['a time that is none', text(heading, pay.replace('10:00:00', '25:00:00')), /2026-11-19 25/],
    ['a line without end', text(heading, '`a'.repeat(10_000)), /过长/],
    ['an amount that is none', text(heading, pay.replace('12.30', 'abc')), /abc/],
  ])('is refused with the reason, not half read: %s', async (_name, given, reason) => {
    await expect(parseStatement(given)).rejects.toThrow(StatementUnreadableError)
    await expect(parseStatement(given)).rejects.toThrow(reason)
  })
})
