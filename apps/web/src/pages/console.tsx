import { listMenuPages } from '#kit/web/base/menus.ts'
import { useSession } from '#kit/web/session/session.ts'
import { PageTiles } from '#kit/web/list/tiles.tsx'
import { appPathOfMenu } from '../shell/directory.ts'
import { useShellTranslation } from '../words/index.ts'

/** Page with a tile for every page of the user. It is the home page unless a module provides one. */
export default function ConsolePage() {
  const t = useShellTranslation()
  const user = useSession((session) => session.user)
  const name = user?.realName || user?.nickName || user?.account
  const menus = useSession((session) => session.menuAll)
  const tiles = listMenuPages(menus)
    .filter(({ menu }) => !menu.external && menu.path !== '/wel/index')
    .map(({ menu, trail }) => ({
      to: appPathOfMenu(menu),
      icon: menu.icon,
      text: menu.name,
      dept: trail.slice(0, -1).join(' / '),
    }))
  return (
    <div className="console">
      {name && <h1>{t('home.welcome', { name })}</h1>}
      <h2>{t('home.start')}</h2>
      <PageTiles tiles={tiles} />
    </div>
  )
}
