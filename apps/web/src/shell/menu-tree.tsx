import { useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { SidebarEntry } from '#kit/web/base/menus.ts'
import { useShellTranslation } from '../words/index.ts'
import { appPathOfMenu, menuIdsLeadingTo } from './directory.ts'

const OPENING = 220

type Props = { menus: SidebarEntry[]; onPick?: () => void }

/** The menus as a tree with one open branch at a time. */
export function MenuTree({ menus, onPick }: Props) {
  const { pathname } = useLocation()
  const [open, setOpen] = useState<string[]>(() => menuIdsLeadingTo(pathname, menus))
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chain = menuIdsLeadingTo(pathname, menus)
    if (chain.length) setOpen(chain)
    // Scrolls after the branch has opened, when the entry no longer moves.
    const timer = setTimeout(() => {
      box.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
    }, OPENING)
    return () => clearTimeout(timer)
  }, [pathname, menus])
  return (
    <div ref={box}>
      <Level menus={menus} above={[]} open={open} setOpen={setOpen} active={pathname} onPick={onPick} />
    </div>
  )
}

type LevelProps = Props & {
  above: string[]
  open: string[]
  setOpen: (open: string[]) => void
  active: string
}

function Level({ menus, above, open, setOpen, active, onPick }: LevelProps) {
  return (
    <ul className={`tree tree-${above.length}`}>
      {menus.map((menu) =>
        menu.children.length ? (
          <Branch key={menu.id} menu={menu} {...{ above, open, setOpen, active, onPick }} />
        ) : (
          <li key={menu.id}>
            <MenuTreeLeaf menu={menu} active={active} onPick={onPick} />
          </li>
        ),
      )}
    </ul>
  )
}

function Branch({ menu, above, open, setOpen, active, onPick }: Omit<LevelProps, 'menus'> & { menu: SidebarEntry }) {
  const id = useId()
  const isOpen = open[above.length] === menu.id
  const below = [...above, menu.id]
  return (
    <li>
      <button
        type="button"
        className="tree-item"
        aria-expanded={isOpen}
        aria-controls={id}
        data-inside={menuIdsLeadingTo(active, menu.children).length > 0}
        onClick={() => setOpen(isOpen ? above : below)}
      >
        <Icon name={menu.icon} fallback="folder" />
        <span>{menu.name}</span>
        <Icon name="down" className="tree-arrow" />
      </button>
      <div id={id} className="tree-fold" data-open={isOpen} inert={!isOpen}>
        <div>
          <Level menus={menu.children} above={below} open={open} setOpen={setOpen} active={active} onPick={onPick} />
        </div>
      </div>
    </li>
  )
}

/** One menu entry; opens a page here, or a new window if external. */
export function MenuTreeLeaf({ menu, active, onPick }: { menu: SidebarEntry; active: string; onPick?: () => void }) {
  const t = useShellTranslation()
  const inside = (
    <>
      <Icon name={menu.icon} fallback="file-text" />
      <span>{menu.name}</span>
    </>
  )
  if (menu.external) {
    return (
      <a className="tree-item" href={menu.path} target="_blank" rel="noopener noreferrer" onClick={onPick}>
        {inside}
        <Icon name="export" className="tree-out" label={t('newWindow')} />
      </a>
    )
  }
  const to = appPathOfMenu(menu)
  const here = active === to || active.startsWith(`${to}/`)
  return (
    <Link className="tree-item" to={to} aria-current={here ? 'page' : undefined} onClick={onPick}>
      {inside}
    </Link>
  )
}
