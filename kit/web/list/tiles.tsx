import './tiles.css'
import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import { Icon } from '../theme/icon.tsx'

type Tile = {
  to: string
  icon: string | undefined
  text: string
  /** Small text below the tile's name: the department or menu group it belongs to. */
  dept?: string
  colour?: string
  background?: string
}

const PACE = 25

/** Tiles that link to pages, appearing one after the other. */
export function PageTiles({ tiles, gutter = 5 }: { tiles: Tile[]; gutter?: number }) {
  return (
    <ul className="tiles" style={{ margin: -gutter }}>
      {tiles.map(({ to, icon, text, dept, colour, background }, time) => (
        <li key={to} style={{ padding: gutter, '--delay': `${time / PACE}s` } as CSSProperties}>
          <Link to={to} style={{ color: colour, background }}>
            <Icon name={icon} fallback="file-text" />
            <span>{text}</span>
            {dept && <small>{dept}</small>}
          </Link>
        </li>
      ))}
    </ul>
  )
}
