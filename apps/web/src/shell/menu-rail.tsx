import { Popover, Tooltip } from 'antd'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { SidebarEntry } from '#kit/web/base/menus.ts'
import { menuIdsLeadingTo } from './directory.ts'
import { MenuTreeLeaf, MenuTree } from './menu-tree.tsx'

const SHOW_AFTER = 0.2

/** The collapsed sidebar: icons, with the entries below each in a flyout. */
export function MenuRail({ menus }: { menus: SidebarEntry[] }) {
  const { pathname } = useLocation()
  return (
    <ul className="rail">
      {menus.map((menu) => (
        <li key={menu.id}>
          {menu.children.length ? (
            <Group menu={menu} active={pathname} />
          ) : (
            <Tooltip title={menu.name} placement="right" mouseEnterDelay={SHOW_AFTER}>
              <div>
                <MenuTreeLeaf menu={menu} active={pathname} />
              </div>
            </Tooltip>
          )}
        </li>
      ))}
    </ul>
  )
}

function Group({ menu, active }: { menu: SidebarEntry; active: string }) {
  const [open, setOpen] = useState(false)
  const inside = menuIdsLeadingTo(active, menu.children).length > 0
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      placement="rightTop"
      trigger={['hover', 'click']}
      mouseEnterDelay={SHOW_AFTER}
      arrow={false}
      classNames={{ root: 'rail-flyout' }}
      content={
        <div className="side rail-panel">
          <p>{menu.name}</p>
          <MenuTree menus={menu.children} onPick={() => setOpen(false)} />
        </div>
      }
    >
      <button type="button" className="tree-item" aria-label={menu.name} aria-expanded={open} data-inside={inside}>
        <Icon name={menu.icon} fallback="folder" />
      </button>
    </Popover>
  )
}
