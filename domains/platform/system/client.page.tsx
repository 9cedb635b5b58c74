import type { CellProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { client } from './client.resource.ts'

const words = {
  intro: {
    zh: '哪些程序可以登录、用哪些方式登录、令牌有效多久',
    en: 'Which programs can sign in, how, and how long their tokens are valid',
  },
  who: { zh: '身份', en: 'Identity' },
  how: { zh: '登录方式', en: 'Sign-in methods' },
  long: { zh: '有效期', en: 'Validity' },
  more: { zh: '其他', en: 'Other' },
}

const layout: FormLayoutOf<typeof client> = [
  { title: words.who, fields: ['clientId', 'clientSecret'] },
  { title: words.how, fields: ['authorizedGrantTypes', 'webServerRedirectUri', 'scope', 'autoapprove'] },
  { title: words.long, fields: ['accessTokenValidity', 'refreshTokenValidity'] },
  { title: words.more, fields: ['resourceIds', 'authorities', 'additionalInformation'] },
]

/** Hides the secret behind dots; it can be copied. */
const SecretCell = ({ value }: CellProps) => <CopyableText text={String(value ?? '')}>••••••••</CopyableText>

const UNITS = [
  [86_400, { zh: '天', en: 'd' }],
  [3600, { zh: '小时', en: 'h' }],
  [60, { zh: '分钟', en: 'min' }],
  [1, { zh: '秒', en: 's' }],
] as const

function Span({ seconds }: { seconds: number }) {
  const t = useLocalize()
  const [size, unit] = UNITS.find(([length]) => seconds >= length && seconds % length === 0) ?? UNITS[3]
  return (
    <span className="kit-number" data-tip={`${seconds} s`}>
      {seconds / size} {t(unit)}
    </span>
  )
}

const SpanCell = ({ value }: CellProps) => <Span seconds={Number(value ?? 0)} />

export default createResourcePage(client, {
  intro: words.intro,
  formLayout: layout,
  cells: {
    clientSecret: (props) => <SecretCell {...props} />,
    accessTokenValidity: (props) => <SpanCell {...props} />,
    refreshTokenValidity: (props) => <SpanCell {...props} />,
  },
})
