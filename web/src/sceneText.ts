// SPDX-License-Identifier: MIT
//
// sceneText.ts: a scene as the text that it is, changed value by value; comments and order stay. The text is the only truth about a scene
// here: controls write to it, and the core reads all of it.

import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';

export type Path = readonly (string | number)[];

export class SceneText {
    private readonly document: Document;

    // Of text that was read without errors (tree.ts).
    constructor(text: string) {
        this.document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false });
    }

    get text(): string {
        return this.document.toString({ lineWidth: 0, flowCollectionPadding: false });
    }

    copy(): SceneText {
        return new SceneText(this.text);
    }

    // The text of a scalar; undefined: it is not there, or is none.
    get(path: Path): string | undefined {
        const value: unknown = this.document.getIn(path, false);
        return typeof value === 'string' ? value : undefined;
    }

    number(path: Path): number | undefined {
        const text = this.get(path);
        const value = text === undefined || text === '' ? NaN : Number(text);
        return Number.isFinite(value) ? value : undefined;
    }

    numbers(path: Path): number[] | undefined {
        const list: unknown = this.document.getIn(path, true);
        if (!isSeq(list)) {
            return undefined;
        }
        const values = list.items.map((item) => (isScalar(item) ? Number(item.value) : NaN));
        return values.every(Number.isFinite) ? values : undefined;
    }

    // Short forms on the way become maps: material: rubber is {name: rubber}, ground: true is {enabled: true}, model: springs is
    // {type: springs}.
    private widen(path: Path, word: string): void {
        const node: unknown = this.document.getIn(path, true);
        if (isScalar(node)) {
            this.document.setIn(path, this.document.createNode({ [word]: String(node.value) }, { flow: true }));
        }
    }

    private prepare(path: Path): void {
        const words: Record<string, string> = { material: 'name', ground: 'enabled', model: 'type', repulsion: 'type', volume: 'method' };
        for (let length = 1; length < path.length; ++length) {
            const key = path[length - 1];
            if (typeof key === 'string' && key in words) {
                this.widen(path.slice(0, length), words[key]);
            }
        }
    }

    // undefined: take it away, so that the default holds.
    set(path: Path, value: string | number | readonly number[] | undefined): void {
        this.prepare(path);
        if (value === undefined) {
            if (this.document.hasIn(path)) {
                this.document.deleteIn(path);
            }
            return;
        }
        if (Array.isArray(value)) {
            this.document.setIn(path, this.document.createNode(value.map(String), { flow: true }));
            return;
        }
        const node: unknown = this.document.getIn(path, true);
        if (isScalar(node)) {
            node.value = String(value);
            node.type = 'PLAIN';
            delete node.source;
        } else {
            this.document.setIn(path, String(value));
        }
    }

    // What a word stands for: material: rubber, or {name: rubber}.
    word(path: Path, key: string): string | undefined {
        return this.get(path) ?? this.get([...path, key]);
    }

    get bodies(): string[] {
        const list: unknown = this.document.get('bodies', true);
        if (!isSeq(list)) {
            return [];
        }
        return list.items.map((item, i) => {
            const name: unknown = isMap(item) ? (item as YAMLMap).get('name') : undefined;
            return typeof name === 'string' ? name : String(i);
        });
    }
}
