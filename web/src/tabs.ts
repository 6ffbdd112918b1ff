// SPDX-License-Identifier: MIT
//
// tabs.ts: the tabs of the side, by mouse and by arrow keys.

export class Tabs {
    private readonly tabs = [...document.querySelectorAll<HTMLElement>('[data-tab]')];

    constructor(private readonly shown: (name: string) => void) {
        this.tabs.forEach((tab, i) => {
            const name = tab.dataset['tab'] ?? '';
            const panel = document.querySelector<HTMLElement>(`[data-panel="${name}"]`);
            tab.id = `tab-${name}`;
            tab.setAttribute('aria-controls', `panel-${name}`);
            if (panel !== null) {
                panel.id = `panel-${name}`;
                panel.setAttribute('role', 'tabpanel');
                panel.setAttribute('aria-labelledby', tab.id);
            }
            tab.addEventListener('click', () => this.show(name));
            tab.addEventListener('keydown', (event) => {
                const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                if (by !== undefined) {
                    const next = this.tabs[(i + by + this.tabs.length) % this.tabs.length];
                    this.show(next.dataset['tab'] ?? '');
                    next.focus();
                    event.preventDefault();
                }
            });
        });
        this.mark('change');
    }

    private mark(name: string): void {
        for (const tab of this.tabs) {
            const selected = tab.dataset['tab'] === name;
            tab.setAttribute('aria-selected', String(selected));
            tab.tabIndex = selected ? 0 : -1;
        }
        for (const panel of document.querySelectorAll<HTMLElement>('[data-panel]')) {
            panel.hidden = panel.dataset['panel'] !== name;
        }
    }

    show(name: string): void {
        this.mark(name);
        this.shown(name);
    }
}
