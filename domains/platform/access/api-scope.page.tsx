import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { NAME_SEPARATOR } from '#kit/base/localized-text.ts'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { useDebouncedValue } from '#kit/web/inputs/use-options.ts'
import { apiScope } from './scopes.resource.ts'
import {
  adaptResourceForScopePage,
  ScopeResourceCodeInput,
  ScopeMenuInput,
  SuggestedTextInput,
  useScopePageParts,
  useMenuTree,
} from './scopes.panel.tsx'

const words = {
  intro: {
    zh: '受保护的接口地址；只有被授予这个权限的角色才能调用',
    en: 'Protected API paths. Only roles that were granted the scope can call them.',
  },
  nobody: {
    zh: '守住 {calls} 个接口，目前没有人会被拦住。',
    en: 'Protects {calls} {calls|endpoint|endpoints}. No one is blocked at the moment.',
  },
  noCall: { zh: '没有接口含有这个地址。', en: 'No endpoint contains this path.' },
  shuts: {
    zh: '保存后守住 {calls} 个接口，{people} 人将被拦住，直到其角色被授予这个权限：{roles}',
    en:
      'After saving, this protects {calls} {calls|endpoint|endpoints} and blocks {people} ' +
      '{people|person|people} until their roles are granted it: {roles}',
  },
}

function NameInput(props: InputProps) {
  const { find, language } = useMenuTree()
  const { choices } = useDictionary('api_scope_type')
  const row = find(props.values.menuId)
  const type = choices.find(({ key }) => key === String(props.values.scopeType))?.label
  return (
    <SuggestedTextInput
      {...props}
      suggestion={row && type ? `${(language === 'en' && row.nameEn) || row.name} [${type}]` : ''}
    />
  )
}

type Effect = { people: number; callCount: number; roles: { tenantName: string; roleName: string; people: number }[] }

const ROLES_SHOWN = 8

/**
 * Returns the people an API scope with this path would lock out; undefined until the path is complete enough to ask.
 */
function useEffectOf(scopePath: string, id: string): Effect | undefined {
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['scope-shut-out', scopePath, id, language],
    queryFn: () => apiGet<Effect>(`${apiScope.path}/shut-out`, { scopePath, ...(id && { id }) }, { quiet: true }),
    enabled: /^\/api\/[\w.-]+\/./.test(scopePath),
    staleTime: 10_000,
    retry: false,
  })
  return data
}

function EffectNote({ effect: { people, callCount, roles } }: { effect: Effect }) {
  const t = useLocalize()
  if (!callCount) return <Alert type="warning" showIcon title={t(words.noCall)} />
  const calls = { calls: callCount }
  if (!people) return <Alert type="info" showIcon title={t(words.nobody, calls)} />
  const named = roles.slice(0, ROLES_SHOWN).map((one) => `${one.tenantName} ${one.roleName} ${one.people}`)
  const names = [...named, ...(roles.length > ROLES_SHOWN ? ['…'] : [])].join(t(NAME_SEPARATOR))
  return <Alert type="warning" showIcon title={t(words.shuts, { ...calls, people, roles: names })} />
}

/** Path input with a note of the people it would lock out. */
function PathInput(props: InputProps) {
  const scopePath = useDebouncedValue(String(props.value ?? '').trim(), 400)
  const effect = useEffectOf(scopePath, String(props.values.id ?? ''))
  return (
    <>
      <TextLineInput {...props} />
      <div aria-live="polite">{effect && <EffectNote effect={effect} />}</div>
    </>
  )
}

const shown = adaptResourceForScopePage(apiScope, ['scopeName', 'scopePath', 'scopeType', 'menuId', 'resourceCode'])
const layout: FormLayoutOf<typeof apiScope> = [
  { fields: ['menuId', 'scopeType', 'scopeName', 'resourceCode', 'scopePath', 'remark'] },
]
const inputs = {
  menuId: ScopeMenuInput,
  scopeName: NameInput,
  resourceCode: ScopeResourceCodeInput,
  scopePath: PathInput,
}

/** Lists API scopes beside a tree of the menus they belong to. */
export default function ApiScopePage() {
  const parts = useScopePageParts()
  return <ResourcePage resource={shown} page={{ ...parts, intro: words.intro, inputs, formLayout: layout }} />
}
