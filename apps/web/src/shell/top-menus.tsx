import { useNavigate } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import { chooseTopMenu, useSession } from '#kit/web/session/session.ts'
import { useShellTranslation } from '../words/index.ts'
import { HOME_PATH } from './tabs.ts'

/** Buttons for home and the top menus; choosing one changes the menus in the sidebar. */
export function TopMenus() {
  const t = useShellTranslation()
  const navigate = useNavigate()
  const topMenus = useSession((session) => session.topMenus)
  const chosen = useSession((session) => session.topMenuId)
  async function choose(id: string, path?: string) {
    await chooseTopMenu(id).catch(() => {})
    if (path) void navigate(path)
  }
  return (
    <nav className="top-menus" aria-label={t('top.menus')}>
      <button type="button" aria-pressed={!chosen} onClick={() => void choose('', HOME_PATH)}>
        <Icon name="home" />
        <span>{t('home')}</span>
      </button>
      {topMenus.map((menu) => (
        <button key={menu.id} type="button" aria-pressed={menu.id === chosen} onClick={() => void choose(menu.id)}>
          <Icon name={menu.source} />
          <span>{menu.name}</span>
        </button>
      ))}
    </nav>
  )
}
