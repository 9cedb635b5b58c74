import type { InputProps } from '#kit/fields/web-kind.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { apiScope } from './scopes.resource.ts'
import { besideMenu, CodeInput, MenuInput, ScopesPage, Suggested, useMenuTree } from './scopes.panel.tsx'

const words = {
  intro: { zh: '受保护的接口地址；只有被授予该权限的角色才能调用', en: 'Guarded addresses; only roles that were granted the scope may call them' },
}

function NameInput(props: InputProps) {
  const { find, language } = useMenuTree()
  const { choices } = useDictionary('api_scope_type')
  const row = find(props.values.menuId)
  const type = choices.find(({ key }) => key === String(props.values.scopeType))?.label
  return <Suggested {...props} suggestion={row && type ? `${(language === 'en' && row.nameEn) || row.name} [${type}]` : ''} />
}

const shown = besideMenu(apiScope, ['scopeName', 'scopePath', 'scopeType', 'menuId', 'resourceCode'])
const layout = [{ fields: ['menuId', 'scopeType', 'scopeName', 'resourceCode', 'scopePath', 'remark'] }]
const page = { inputs: { menuId: MenuInput, scopeName: NameInput, resourceCode: CodeInput }, formLayout: layout }

/** API scopes, beside the menus. */
export default function ApiScopePage() {
  return <ScopesPage resource={shown} intro={words.intro} page={page} />
}
