import { Alert } from 'antd'
import { BETWEEN_NAMES } from '#kit/resource/words.ts'
import { isEmpty } from '#kit/fields/field-kind.ts'
import { useSay, type Words } from '#kit/web/language.tsx'
import { payApply } from './pay-apply.resource.ts'
import './merchants.css'

type Key = keyof typeof payApply.fields
/** The application as it is, also while it is written. */
type Values = { [key in Key]?: unknown }

const words = {
  missing: { zh: '提交前还缺 {count} 项', en: '{count} things are missing before it can be handed in' },
  whole: { zh: '资料已齐全', en: 'Nothing is missing' },
  keepName: BETWEEN_NAMES,
} satisfies Record<string, Words>

/** Fields the platform asks for, beyond those a draft cannot do without, by what was chosen. */
const NEEDED: { when?: (row: Values) => boolean; fields: Key[] }[] = [
  {
    fields: [
      'settlementId',
      'qualificationType',
      'accountName',
      'accountBank',
      'bankRegion',
      'legalPerson',
      'idCardCopy',
      'idCardNational',
      'idCardName',
      'idCardBegin',
      'storeName',
      'storeRegion',
      'storeAddress',
      'storeEntrance',
      'storeIndoor',
    ],
  },
  {
    when: (row) => row.subjectType === 'enterprise' || row.subjectType === 'individual',
    fields: ['licenseCopy', 'licenseNumber', 'licenseName'],
  },
  { when: (row) => row.contactType === 'SUPER', fields: ['contactIdCopy', 'contactIdCopyBack', 'contactLetter'] },
]
/** Sealed numbers show by their tail whether they were given. */
const SEALED: { key: Key; tail: Key; when?: (row: Values) => boolean }[] = [
  { key: 'idCardNumber', tail: 'idCardTail' },
  { key: 'accountNumber', tail: 'accountTail' },
  { key: 'contactIdNumber', tail: 'contactIdTail', when: (row) => row.contactType === 'SUPER' },
]

const missingOf = (row: Values): Key[] => [
  ...NEEDED.filter(({ when }) => !when || when(row)).flatMap(({ fields }) => fields.filter((key) => isEmpty(row[key]))),
  ...SEALED.filter(({ when }) => !when || when(row)).flatMap(({ key, tail }) =>
    isEmpty(row[key]) && isEmpty(row[tail]) ? [key] : [],
  ),
]

/** What is still lacking; `onGo` leads to its input. */
export function MissingNote({ row, onGo }: { row: Values; onGo?: (key: string) => void }) {
  const say = useSay()
  const missing = missingOf(row)
  if (!missing.length) return <Alert type="success" showIcon title={say(words.whole)} />
  return (
    <Alert
      type="info"
      showIcon
      title={say(words.missing, { count: missing.length })}
      description={missing.map((key, at) => {
        const label = say(payApply.fields[key].label)
        return (
          <span key={key}>
            {at > 0 && say(words.keepName)}
            {onGo ? (
              <button type="button" className="kit-link" onClick={() => onGo(key)}>
                {label}
              </button>
            ) : (
              label
            )}
          </span>
        )
      })}
    />
  )
}
