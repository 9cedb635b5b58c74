import { expect, test } from 'vitest'
import { applyFaults, APPLY_STEPS, missingApplyFields, applyStepOfField, type ApplyValues } from './apply-faults.ts'
import { birthdayOfIdNumber, isCardNumber, isSocialCreditCode, isRegistrationNumber } from './identity-numbers.ts'
import { payApply } from './pay-apply.resource.ts'

const TODAY = '2026-11-23'

/** A faultless application of a sole trader. */
const trader = {
  merchantId: '1',
  merchantShortname: '西溪便利',
  subjectType: 'individual',
  licenseCopy: '/f/license.jpg',
  licenseNumber: '92330106MA2ABCDE1D',
  licenseName: '杭州西溪便利店',
  legalPerson: '吴敏',
  licenseBegin: '2020-03-01',
  licenseEnd: '',
  idCardCopy: '/f/front.jpg',
  idCardNational: '/f/back.jpg',
  idCardName: '吴敏',
  idCardNumber: '33010619900101123X',
  idCardBegin: '2018-05-06',
  idCardEnd: '2038-05-06',
  contactType: 'LEGAL',
  contactName: '吴敏',
  mobilePhone: '13957103621',
  contactEmail: 'wumin@xixi-store.cn',
  servicePhone: '0571-88123456',
  storeName: '西溪便利店',
  storeRegion: '330106',
  storeAddress: '文二西路 238 号 1 层',
  storeEntrance: '/f/door.jpg',
  storeIndoor: '/f/inside.jpg',
  settlementId: '719',
  qualificationType: '零售批发',
  bankAccountType: 'personal',
  accountName: '吴敏',
  accountNumber: '6222021202009012346',
  accountBank: '工商银行',
  bankRegion: '330100',
} satisfies ApplyValues

const company: ApplyValues = {
  ...trader,
  subjectType: 'enterprise',
  licenseNumber: '91330106MA2ABCDE1G',
  licenseName: '杭州西溪商贸有限公司',
  bankAccountType: 'corporate',
  accountName: '杭州西溪商贸有限公司',
  accountNumber: '1202020209001234567',
  bankName: '中国工商银行杭州文二路支行',
  settlementId: '716',
}

const withAgent: ApplyValues = {
  ...trader,
  contactType: 'SUPER',
  contactName: '林晓',
  contactIdNumber: '330106198507150021',
  contactIdBegin: '2015-05-06',
  contactIdEnd: '2035-05-06',
  contactIdCopy: '/f/agent-front.jpg',
  contactIdCopyBack: '/f/agent-back.jpg',
  contactLetter: '/f/letter.jpg',
}

test('numbers that check themselves do, and with one digit changed or two exchanged do not', () => {
  expect(birthdayOfIdNumber('11010519491231002X')).toBe('1949-12-31')
  expect(birthdayOfIdNumber('110105194912310021')).toBeUndefined()
  expect(birthdayOfIdNumber('110105194913310027')).toBeUndefined()
  expect(isSocialCreditCode('91350100M000100Y43')).toBe(true)
  expect(isSocialCreditCode('91350100M000100Y34')).toBe(false)
  expect(isRegistrationNumber('110108000000016')).toBe(true)
  expect(isRegistrationNumber('110108000000061')).toBe(false)
  expect(isCardNumber('4111111111111111')).toBe(true)
  expect(isCardNumber('4111111111111171')).toBe(false)
})

test('nothing is wrong with applications that are right', () => {
  for (const right of [trader, company, withAgent]) {
    expect(applyFaults(right, TODAY)).toEqual([])
    expect(missingApplyFields(right)).toEqual([])
  }
})

/** Applications with one typical fault each, and the field at which it must be reported. */
const PLANTED: [what: string, of: ApplyValues, change: ApplyValues, field: string][] = [
  ['two digits of the licence exchanged', trader, { licenseNumber: '92330106MA2ABCED1D' }, 'licenseNumber'],
  ['a letter O for a zero in the licence', trader, { licenseNumber: '9233O106MA2ABCDE1D' }, 'licenseNumber'],
  ['a digit of the identity number wrong', trader, { idCardNumber: '33010619900101124X' }, 'idCardNumber'],
  ['a thirteenth month in the identity number', trader, { idCardNumber: '330106199013011237' }, 'idCardNumber'],
  ['a legal person of 17', trader, { idCardNumber: '33010620100101123X' }, 'idCardNumber'],
  ['a digit of the card wrong', trader, { accountNumber: '6222021202009012345' }, 'accountNumber'],
  ['a company paid to a personal card', company, { bankAccountType: 'personal' }, 'bankAccountType'],
  ['a company that says it is a sole trader', company, { subjectType: 'individual' }, 'subjectType'],
  ['a sole trader that says it is a company', trader, { subjectType: 'enterprise' }, 'subjectType'],
  ['the settlement rule of companies', trader, { settlementId: '716' }, 'settlementId'],
  ['a permit for food that is not there', trader, { qualificationType: '食品生鲜' }, 'qualifications'],
  ['another name on the licence than on the card', trader, { legalPerson: '吴民' }, 'legalPerson'],
  ['an administrator with another name', trader, { contactName: '吴先生' }, 'contactName'],
  ['an account of somebody else', trader, { accountName: '王芳' }, 'accountName'],
  ['a corporate account under the short name', company, { accountName: '杭州西溪商贸' }, 'accountName'],
  ['a branch of another bank', company, { bankName: '招商银行杭州分行' }, 'bankName'],
  ['a licence that has ended', trader, { licenseEnd: '2025-01-01' }, 'licenseEnd'],
  ['a licence that ends before it begins', trader, { licenseEnd: '2019-03-01' }, 'licenseEnd'],
  ['a licence from next year', trader, { licenseBegin: '2027-01-01' }, 'licenseBegin'],
  ['an identity card that has ended', trader, { idCardBegin: '2016-05-06', idCardEnd: '2026-05-06' }, 'idCardEnd'],
  ['an identity card good for 19 years', trader, { idCardEnd: '2037-05-06' }, 'idCardEnd'],
  ['a young card said to be for good', trader, { idCardEnd: '' }, 'idCardEnd'],
  ['front and back from one picture', trader, { idCardNational: '/f/front.jpg' }, 'idCardNational'],
  ['the entrance as the inside', trader, { storeIndoor: '/f/door.jpg' }, 'storeIndoor'],
  ['an agent who is the legal person', withAgent, { contactIdNumber: trader.idCardNumber }, 'contactIdNumber'],
  ['a digit of the agent wrong', withAgent, { contactIdNumber: '330106198507150020' }, 'contactIdNumber'],
  ['an address without a street', trader, { storeAddress: '杭州市' }, 'storeAddress'],
  ['a phone of ones', trader, { mobilePhone: '13111111111' }, 'mobilePhone'],
  ['a province for a district', trader, { storeRegion: '330000' }, 'storeRegion'],
  ['a city for a district', trader, { storeRegion: '330100' }, 'storeRegion'],
  ['a blank inside the account’s name', company, { accountName: '杭州西溪商贸 有限公司' }, 'accountName'],
  ['a blank inside a person’s name', trader, { legalPerson: '吴 敏' }, 'legalPerson'],
  ['a licence that ends in three weeks', trader, { licenseEnd: '2026-12-14' }, 'licenseEnd'],
  ['a card that ends in a month', trader, { idCardBegin: '2016-12-23', idCardEnd: '2026-12-23' }, 'idCardEnd'],
  ['an agent’s card that ends in a month', withAgent, { contactIdEnd: '2026-12-23' }, 'contactIdEnd'],
  ['a short name of one sign', trader, { merchantShortname: '店' }, 'merchantShortname'],
  ['a short name with symbols', trader, { merchantShortname: '西溪@便利' }, 'merchantShortname'],
  ['a bank in no city', trader, { bankRegion: '330000' }, 'bankRegion'],
  ['a mailbox of nobody', trader, { contactEmail: 'test@xixi-store.cn' }, 'contactEmail'],
]

test('thirty-nine applications with one fault each are all caught before sending, at the right field', () => {
  const missed = PLANTED.filter(([, of, change, field]) => {
    const faults = applyFaults({ ...of, ...change }, TODAY)
    return !faults.some((one) => one.field === field)
  })
  expect([PLANTED.length, missed.map(([what]) => what)]).toEqual([39, []])
})

test('a city without districts is a place, and a firm may have a name in Latin letters', () => {
  expect(applyFaults({ ...trader, storeRegion: '441900' }, TODAY)).toEqual([])
  const name = 'Xixi Trading Co Ltd'
  expect(applyFaults({ ...company, licenseName: name, accountName: name }, TODAY)).toEqual([])
  expect(applyFaults({ ...trader, licenseEnd: '2027-01-22' }, TODAY)).toEqual([])
})

test('what only the platform can know is not guessed at: the card is right, and not of this person', () => {
  expect(applyFaults({ ...trader, accountNumber: '4111111111111111' }, TODAY)).toEqual([])
})

test('one fault is told at one place', () => {
  const withSeveralFaults = PLANTED.filter(([, of, change]) => applyFaults({ ...of, ...change }, TODAY).length > 1)
  // Type of company, credit code, settlement rule and bank account contradict each other.
  expect(withSeveralFaults.map(([what]) => what)).toEqual([
    'a company paid to a personal card',
    'a company that says it is a sole trader',
    'a sole trader that says it is a company',
  ])
})

test('what is not there is missing, and no fault', () => {
  expect(applyFaults({}, TODAY)).toEqual([])
  const missing = missingApplyFields({ subjectType: 'individual', contactType: 'LEGAL' })
  expect(missing).toContain('licenseCopy')
  expect(missing).not.toContain('contactLetter')
  expect(missingApplyFields({ ...trader, idCardNumber: '', idCardTail: '**** 1232' })).toEqual([])
})

test('every field of the form has its step', () => {
  const shown = Object.entries(payApply.fields).filter(([, field]) => !('form' in field) || field.form !== 'hidden')
  const placed = APPLY_STEPS.flatMap(({ fields }) => fields as readonly string[])
  expect(shown.map(([key]) => key).filter((key) => !placed.includes(key))).toEqual([])
  expect(new Set(placed).size).toBe(placed.length)
  expect(applyStepOfField('accountNumber')).toBe(5)
})
