import type { Page } from 'playwright-core'

/**
 * Returns Chinese texts in the product's own headings, labels, buttons and menus. User content may be in any language.
 */
export const untranslated = (page: Page) =>
  page.evaluate(() => {
    const own =
      'h1, h2, h3, th, label, legend, button, .kit-title p, .tree-item, .ant-segmented-item, .ant-tag, ' +
      '.ant-pagination, .kit-quick, .home-label, .home-need > span, .ant-select-placeholder'
    const data =
      '.kit-inline, .kit-open, .top-user, .home-shop header, .kit-copy, .kit-tree, .kit-side-tree .ant-tree, ' +
      '.login-language, .member-level'
    return [...document.querySelectorAll<HTMLElement>(`:is(${own})`)]
      .filter((element) => !element.closest(data) && element.offsetParent)
      .flatMap((element) => [
        element.innerText,
        element.getAttribute('aria-label') ?? '',
        element.getAttribute('placeholder') ?? '',
      ])
      .filter((text) => /[\u4e00-\u9fff]/.test(text))
  })
