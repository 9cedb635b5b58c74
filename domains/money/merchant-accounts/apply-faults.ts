import { isEmptyInput } from '#kit/fields/base/field-kind.ts'
import type { LocalizedText } from '#kit/resource/index.ts'
import {
  AGENT_ONLY_APPLY_FIELDS,
  APPLY_PICTURE_FIELDS,
  SEALED_APPLY_FIELDS,
  SEALED_APPLY_FIELD_KEYS,
} from './apply-fields.ts'
import { birthdayOfIdNumber, isCardNumber, isSocialCreditCode, isRegistrationNumber } from './identity-numbers.ts'
import { applyGroups, payApply } from './pay-apply.resource.ts'

type Key = Extract<keyof typeof payApply.fields, string>
/** Values of an application, possibly incomplete. Encrypted numbers are in plain text where known, else missing. */
export type ApplyValues = { readonly [key in Key]?: unknown }

/** A fault WeChat Pay would refuse, at the field that must be corrected. */
export type ApplyFault = { field: Key; words: LocalizedText }

/** The seven steps of the application form; the last one reviews all. */
export const APPLY_STEPS: readonly { title: LocalizedText; fields: readonly Key[] }[] = [
  {
    title: applyGroups.subject,
    fields: [
      'merchantId',
      'merchantShortname',
      'subjectType',
      'licenseCopy',
      'licenseNumber',
      'licenseName',
      'legalPerson',
      'licenseAddress',
      'licenseBegin',
      'licenseEnd',
    ],
  },
  {
    title: applyGroups.legal,
    fields: ['idCardCopy', 'idCardNational', 'idCardName', 'idCardNumber', 'idCardAddress', 'idCardBegin', 'idCardEnd'],
  },
  {
    title: applyGroups.contact,
    fields: ['contactType', 'contactName', 'mobilePhone', 'contactEmail', ...AGENT_ONLY_APPLY_FIELDS],
  },
  {
    title: applyGroups.business,
    fields: ['servicePhone', 'storeName', 'storeRegion', 'storeAddress', 'storeEntrance', 'storeIndoor'],
  },
  {
    title: applyGroups.settlement,
    fields: ['settlementId', 'qualificationType', 'qualifications'],
  },
  {
    title: applyGroups.account,
    fields: ['bankAccountType', 'accountName', 'accountNumber', 'accountBank', 'bankRegion', 'bankName'],
  },
  { title: { zh: '核对提交', en: 'Review' }, fields: ['remark'] },
]

/** Index of the step with this field; 0 if no step has it. */
export const applyStepOfField = (key: string): number =>
  Math.max(
    APPLY_STEPS.findIndex(({ fields }) => (fields as readonly string[]).includes(key)),
    0,
  )

export const isAgentContact = ({ contactType }: ApplyValues): boolean => contactType === 'SUPER'
const isLicensed = ({ subjectType }: ApplyValues) => subjectType === 'enterprise' || subjectType === 'individual'
const isPersonal = ({ bankAccountType }: ApplyValues) => bankAccountType === 'personal'

/** Fields WeChat Pay requires, in addition depending on what was chosen (`when`). */
const NEEDED: readonly { when?: (values: ApplyValues) => boolean; fields: readonly Key[] }[] = [
  {
    fields: [
      'merchantShortname',
      'legalPerson',
      'idCardCopy',
      'idCardNational',
      'idCardName',
      'idCardBegin',
      'contactName',
      'mobilePhone',
      'contactEmail',
      'servicePhone',
      'storeName',
      'storeRegion',
      'storeAddress',
      'storeEntrance',
      'storeIndoor',
      'settlementId',
      'qualificationType',
      'accountName',
      'accountBank',
      'bankRegion',
    ],
  },
  { when: isLicensed, fields: ['licenseCopy', 'licenseNumber', 'licenseName', 'licenseBegin'] },
  { when: isAgentContact, fields: ['contactIdBegin', 'contactIdCopy', 'contactIdCopyBack', 'contactLetter'] },
  { when: (values) => !isPersonal(values), fields: ['bankName'] },
]
/** Returns the fields that are still missing for submission. */
export const missingApplyFields = (values: ApplyValues): Key[] => [
  ...NEEDED.filter(({ when }) => !when || when(values)).flatMap(({ fields }) =>
    fields.filter((key) => isEmptyInput(values[key])),
  ),
  // An encrypted number counts as given when its tail is shown.
  ...SEALED_APPLY_FIELD_KEYS.filter((key) => isAgentContact(values) || !AGENT_ONLY_APPLY_FIELDS.includes(key)).filter(
    (key) => isEmptyInput(values[key]) && isEmptyInput(values[SEALED_APPLY_FIELDS[key]]),
  ),
]

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
/** A name for comparison: without blanks and dots and with ASCII brackets. */
const nameOf = (value: unknown) =>
  textOf(value)
    .replaceAll('（', '(')
    .replaceAll('）', ')')
    .replaceAll(/[\s·•]/g, '')
const isSameName = (one: unknown, other: unknown) => !one || !other || nameOf(one) === nameOf(other)

type FaultRule = (values: ApplyValues, today: string) => (ApplyFault | false | undefined)[]
const fault = (field: Key, zh: string, en: string): ApplyFault => ({ field, words: { zh, en } })

const ADULT_YEARS = 18
/** Days for which a document must still be valid when submitted. */
const GOOD_DAYS = 60
const yearsLater = (day: string, years: number) => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`
const daysLater = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Whether a text is given and wrong. */
const isWrong = (text: string, isRight: (text: string) => boolean) => text !== '' && !isRight(text)
const isLicenseNumber = (code: string) => isSocialCreditCode(code) || isRegistrationNumber(code)
const isIdNumber = (number: string) => !!birthdayOfIdNumber(number)
const CORPORATE_DIGITS = 8
const isCorporateAccount = (account: string) => account.length >= CORPORATE_DIGITS

function isMinor(idNumber: string, today: string): boolean {
  const birthday = birthdayOfIdNumber(idNumber)
  return !!birthday && yearsLater(birthday, ADULT_YEARS) > today
}

const numbers: FaultRule = (values, today) => {
  const [license, person, account] = [
    textOf(values.licenseNumber),
    textOf(values.idCardNumber),
    textOf(values.accountNumber),
  ]
  const agent = isAgentContact(values) ? textOf(values.contactIdNumber) : ''
  const [card, corporate] = isPersonal(values) ? [account, ''] : ['', account]
  return [
    isWrong(license, isLicenseNumber) &&
      fault(
        'licenseNumber',
        '执照号码的校验位不对，请对照执照逐位核对',
        'The check digit of the license number is wrong. Compare it with the license digit by digit.',
      ),
    isWrong(person, isIdNumber) &&
      fault(
        'idCardNumber',
        '身份证号的校验位或出生日期不对',
        'The check digit or birth date of the ID number is wrong',
      ),
    isWrong(agent, isIdNumber) &&
      fault(
        'contactIdNumber',
        '身份证号的校验位或出生日期不对',
        'The check digit or birth date of the ID number is wrong',
      ),
    isMinor(person, today) && fault('idCardNumber', '法人未满 18 周岁', 'The legal representative is under 18'),
    agent !== '' &&
      agent === person &&
      fault(
        'contactIdNumber',
        '经办人与法人是同一人时，管理员类型应选“法人或经营者”',
        'If the agent is the legal representative, set the administrator type to “Legal representative or owner”',
      ),
    isWrong(card, isCardNumber) &&
      fault(
        'accountNumber',
        '银行卡号的校验位不对，请对照卡面核对',
        'The check digit of the card number is wrong. Compare it with the card.',
      ),
    isWrong(corporate, isCorporateAccount) &&
      fault('accountNumber', '对公账号至少 8 位', 'A corporate account has at least 8 digits'),
  ]
}

/** First two characters of a social credit code for each type of subject. */
const CODE_BEGINS: Readonly<Record<string, RegExp>> = {
  enterprise: /^(91|93|A1|N)/,
  individual: /^92/,
  institution: /^12/,
  government: /^11/,
}

const kinds: FaultRule = (values) => {
  const [code, subject] = [textOf(values.licenseNumber), textOf(values.subjectType)]
  const rule = textOf(values.settlementId)
  return [
    code.length === 18 &&
      CODE_BEGINS[subject]?.test(code) === false &&
      fault(
        'subjectType',
        '主体类型与执照号码不符：92 开头是个体工商户，91 开头是企业',
        'The entity type does not match the license number. 92 is for sole traders, 91 for companies.',
      ),
    isPersonal(values) &&
      subject !== 'individual' &&
      fault(
        'bankAccountType',
        '只有个体工商户可以结算到经营者个人银行卡',
        'Only sole traders can settle to a personal bank card',
      ),
    (rule === '719' ? subject === 'enterprise' : rule === '716' && subject === 'individual') &&
      fault('settlementId', '结算规则与主体类型不符', 'The settlement rule does not match the entity type'),
    /餐饮|食品|生鲜|酒|药|烟|医疗|保健/.test(textOf(values.qualificationType)) &&
      isEmptyInput(values.qualifications) &&
      fault(
        'qualifications',
        '这个行业需要许可证，如食品经营许可证，请上传',
        'This industry requires a permit, for example, a food license. Upload it.',
      ),
  ]
}

/** Names that must equal the document's character by character. */
const COMPARED = ['legalPerson', 'licenseName', 'contactName', 'accountName'] as const
/** A blank between two Chinese characters of a name; names in Latin letters may contain blanks. */
const INNER_BLANK = /\p{Script=Han}\s+\p{Script=Han}/u

const SHORT_NAME = 2
const isHanName = (name: string) => /^[\p{Script=Han}·•]{2,30}$/u.test(name)
/** Whether a branch belongs to a bank: its name contains the bank's, without the prefix 中国. */
const isBranchOf = (branch: string, bank: string) =>
  !branch || !bank || branch.includes(bank.replace(/^中国/, '').slice(0, 2))

const names: FaultRule = (values) => [
  ...COMPARED.map(
    (key) =>
      INNER_BLANK.test(textOf(values[key])) &&
      fault(
        key,
        '名称中间有空格，会与证件不符，请去掉',
        'Remove the space within the name. It does not match the document.',
      ),
  ),
  !!textOf(values.merchantShortname) &&
    [...textOf(values.merchantShortname)].length < SHORT_NAME &&
    fault('merchantShortname', '商户简称至少 2 个字', 'The short name needs at least 2 characters'),
  !isSameName(values.idCardName, values.legalPerson) &&
    fault('legalPerson', '与身份证姓名不一致', 'Does not match the name on the ID card'),
  !isAgentContact(values) &&
    !isSameName(values.contactName, values.idCardName) &&
    fault(
      'contactName',
      '管理员是法人或经营者时，姓名应与身份证一致',
      'If the administrator is the legal representative or owner, the name must match the ID card',
    ),
  isPersonal(values) &&
    !isSameName(values.accountName, values.idCardName) &&
    fault('accountName', '个人银行卡的开户名应是经营者姓名', 'The holder of a personal card must be the owner'),
  !isPersonal(values) &&
    isLicensed(values) &&
    !isSameName(values.accountName, values.licenseName) &&
    fault(
      'accountName',
      '对公账户的开户名应与执照名称一致',
      'The holder of a corporate account must match the name on the license',
    ),
  !isBranchOf(textOf(values.bankName), textOf(values.accountBank)) &&
    fault('bankName', '支行不属于所填的开户银行', 'The branch does not belong to the bank entered'),
  isWrong(textOf(values.idCardName), isHanName) &&
    fault(
      'idCardName',
      '身份证姓名应为 2 个以上汉字',
      'The name on the ID card must have at least 2 Chinese characters',
    ),
  /[<>*#@$%^&]|测试|test/i.test(textOf(values.merchantShortname)) &&
    fault(
      'merchantShortname',
      '简称含有符号或测试字样，会被驳回',
      'A short name with symbols or test words will be rejected',
    ),
]

type Span = { begin: Key; end: Key; what: LocalizedText }
const SPANS: readonly Span[] = [
  { begin: 'licenseBegin', end: 'licenseEnd', what: { zh: '执照', en: 'License' } },
  { begin: 'idCardBegin', end: 'idCardEnd', what: { zh: '身份证', en: 'ID card' } },
  { begin: 'contactIdBegin', end: 'contactIdEnd', what: { zh: '管理员证件', en: 'Administrator ID' } },
]
/** Validity of identity cards in years; permanent for holders of 46 or older. */
const CARD_YEARS = [5, 10, 20]
const CARD_FOR_GOOD_AGE = 46

const dates: FaultRule = (values, today) => [
  ...SPANS.filter(({ begin }) => begin !== 'contactIdBegin' || isAgentContact(values)).flatMap(
    ({ begin, end, what }) => {
      const { zh, en } = what
      const [from, until] = [textOf(values[begin]), textOf(values[end])]
      return [
        !!from && from > today && fault(begin, `${zh}起始日在今天之后`, `${en} begins after today`),
        !!from && !!until && until <= from && fault(end, `${zh}到期日早于起始日`, `${en} ends before it begins`),
        !!until &&
          until > from &&
          until < daysLater(today, GOOD_DAYS) &&
          fault(
            end,
            `${zh}的有效期须还有 ${GOOD_DAYS} 天以上，请换新证件后再提交`,
            `${en} has to be good for ${GOOD_DAYS} days yet: hand in the new one`,
          ),
      ]
    },
  ),
  ...cardDates(values),
]

function cardDates(values: ApplyValues): (ApplyFault | false)[] {
  const [from, until] = [textOf(values.idCardBegin), textOf(values.idCardEnd)]
  const birthday = birthdayOfIdNumber(textOf(values.idCardNumber))
  const isWritten = !!from && until > from
  return [
    isWritten &&
      !CARD_YEARS.some((years) => yearsLater(from, years) === until) &&
      fault(
        'idCardEnd',
        '身份证有效期应为 5 年、10 年、20 年或长期，请核对起止日',
        'An ID card is valid for 5, 10 or 20 years, or permanently. Check both dates.',
      ),
    !!from &&
      !until &&
      !!birthday &&
      yearsLater(birthday, CARD_FOR_GOOD_AGE) > from &&
      fault(
        'idCardEnd',
        '46 周岁前领取的身份证不是长期有效，请填写到期日',
        'An ID card issued before age 46 is not permanent. Enter its expiry date.',
      ),
    !!from &&
      !!birthday &&
      from <= birthday &&
      fault('idCardBegin', '身份证起始日早于出生日期', 'The ID card starts before the date of birth'),
  ]
}

/**
 * Returns the links of a value: a single link, a list, or a comma-separated text, as rows, the wire and forms have it.
 */
const linksOf = (value: unknown) => [value].flat().flatMap((one) => textOf(one).split(',').filter(Boolean))

const pictures: FaultRule = (values) => {
  const seen = new Map<string, Key>()
  return APPLY_PICTURE_FIELDS.filter((key) => isAgentContact(values) || !AGENT_ONLY_APPLY_FIELDS.includes(key)).flatMap(
    (key) =>
      linksOf(values[key]).map((link) => {
        const other = seen.get(link)
        seen.set(link, other ?? key)
        const { label } = payApply.fields[other ?? key]
        return (
          !!other &&
          fault(
            key,
            `与“${label.zh}”用了同一张图片`,
            `The same picture as for “${label.en}”: each shows something else`,
          )
        )
      }),
  )
}

const SHORT_ADDRESS = 6
/** City codes without districts: 嘉峪关, 东莞, 中山, 儋州, 三沙. */
const WITHOUT_DISTRICTS = ['620200', '441900', '442000', '460400', '460300']

const contacts: FaultRule = (values) => [
  !!textOf(values.storeAddress) &&
    textOf(values.storeAddress).length < SHORT_ADDRESS &&
    fault('storeAddress', '地址过短，应写到门牌号', 'The address is too short. Include the street number.'),
  /^(?:1[3-9](\d)\1{8}|13800138000|12345678901)$/.test(textOf(values.mobilePhone)) &&
    fault(
      'mobilePhone',
      '手机号不是真实号码，签约短信会收不到',
      'This is not a real phone number. The signing message could not be delivered.',
    ),
  /^(?:test|admin|123)?@|@(?:example|test)\./i.test(textOf(values.contactEmail)) &&
    fault('contactEmail', '邮箱不是真实地址', 'This is not a real email address'),
  !!textOf(values.storeRegion) &&
    textOf(values.storeRegion).padEnd(6, '0').endsWith('00') &&
    !WITHOUT_DISTRICTS.includes(textOf(values.storeRegion)) &&
    fault('storeRegion', '地区应选到区县', 'Select the district'),
  !!textOf(values.bankRegion) &&
    textOf(values.bankRegion).endsWith('0000') &&
    fault('bankRegion', '开户行所在地区应选到市', 'Select the city of the bank'),
]

const LOOKS = [numbers, kinds, names, dates, pictures, contacts]

/**
 * Returns the faults of the given values, at most one a field and in the order of the steps. Missing values are left to
 * `missingApplyFields`.
 *
 * @param today Date of the check, `YYYY-MM-DD`.
 */
export function applyFaults(values: ApplyValues, today: string): ApplyFault[] {
  const found = new Map<Key, ApplyFault>()
  for (const look of LOOKS)
    for (const one of look(values, today)) if (one && !found.has(one.field)) found.set(one.field, one)
  return [...found.values()].toSorted((one, other) => applyStepOfField(one.field) - applyStepOfField(other.field))
}
