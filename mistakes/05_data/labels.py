"""Wrong answers to katas/05_data/labels.py."""

import torch

from torchkatas.bank import wrong

# ---- class_index


@wrong(
    "x03-labels-from-1",
    replaces="class_index",
    says="The classes are numbered from 1. Outputs are counted from 0: the last class has no output then, which "
    "raises IndexError, or output 0 is never trained, if there is one to spare.",
    fact="05.2",
)
def labels_from_1(labels):
    return {label: number for number, label in enumerate(sorted(set(labels)), start=1)}


@wrong(
    "index-as-labels-appear",
    replaces="class_index",
    says="The classes are numbered as they appear. Another file, or the same one shuffled, gives other numbers to the "
    "same classes, and a saved model then names the wrong ones: sort them.",
)
def index_as_labels_appear(labels):
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


@wrong(
    "index-in-a-sets-order",
    replaces="class_index",
    says="The classes are numbered in a set's order, which for strings is another one in every run of Python. Sort "
    "the set.",
)
def index_in_a_sets_order(labels):
    return {label: number for number, label in enumerate(set(labels))}


@wrong(
    "index-from-number-to-label",
    replaces="class_index",
    says="The dict goes the wrong way: from the number to the label. It is to be asked for a label.",
)
def index_from_number_to_label(labels):
    return dict(enumerate(sorted(set(labels))))


@wrong(
    "index-counts-repeats",
    replaces="class_index",
    says="Labels that repeat were counted each time, so that the numbers have gaps and the last one is near N, not C "
    "- 1. Let each label stand once before you number them.",
    fact="05.2",
)
def index_counts_repeats(labels):
    return {label: number for number, label in enumerate(sorted(labels))}


@wrong(
    "integer-labels-left-as-they-are",
    replaces="class_index",
    says="Labels that are ints were left as they are; they may start at 1, leave gaps or be negative. Number them "
    "like names.",
    fact="05.2",
)
def integer_labels_left_as_they_are(labels):
    if all(isinstance(label, int) for label in labels):
        return {label: label for label in labels}
    return {label: number for number, label in enumerate(sorted(set(labels)))}


@wrong(
    "integer-labels-sorted-as-text",
    replaces="class_index",
    says="Numbers were sorted as text, where '10' comes before '9'. Sort the labels as they are, all str or all int.",
)
def integer_labels_sorted_as_text(labels):
    return {label: number for number, label in enumerate(sorted(set(labels), key=str))}


@wrong(
    "index-in-descending-order",
    replaces="class_index",
    says="The classes are numbered from the last one back: sorted order is ascending, the smallest label has number 0.",
)
def index_in_descending_order(labels):
    return {label: number for number, label in enumerate(sorted(set(labels), reverse=True))}


@wrong(
    "index-by-frequency",
    replaces="class_index",
    says="The classes are numbered by how often they occur, as one does with words: one more example in the file may "
    "give other numbers to the same classes. Sort the labels.",
)
def index_by_frequency(labels):
    ranked = sorted(dict.fromkeys(labels), key=lambda label: -labels.count(label))
    return {label: number for number, label in enumerate(ranked)}


@wrong(
    "index-of-the-first-example",
    replaces="class_index",
    says="The numbers are places in the list of examples: labels.index(label) tells where a label stands first. A "
    "class's number is its place among the different labels, sorted.",
)
def index_of_the_first_example(labels):
    return {label: labels.index(label) for label in labels}


# ---- encode


@wrong(
    "unknown-label-becomes-ignored",
    replaces="encode",
    says="An unknown label became -100. Cross entropy leaves such examples out without a word, so the mistake in the "
    "data is never seen. index[label] raises KeyError by itself.",
)
def unknown_label_becomes_ignored(labels, index):
    return torch.tensor([index.get(label, -100) for label in labels], dtype=torch.int64)


@wrong(
    "unknown-label-becomes-minus-one",
    replaces="encode",
    says="An unknown label became -1, which a later index takes for the last class, and a loss refuses far from here. "
    "index[label] raises KeyError by itself.",
)
def unknown_label_becomes_minus_one(labels, index):
    return torch.tensor([index.get(label, -1) for label in labels], dtype=torch.int64)


@wrong(
    "unknown-label-dropped",
    replaces="encode",
    says="Unknown labels were left out, so there are fewer labels than examples, and all behind belong to another "
    "one. Let the KeyError through.",
)
def unknown_label_dropped(labels, index):
    return torch.tensor([index[label] for label in labels if label in index], dtype=torch.int64)


@wrong(
    "unknown-label-gets-a-new-class",
    replaces="encode",
    says="An unknown label got a number of its own, one that the model has no output for. The classes are those of "
    "index: raise KeyError.",
)
def unknown_label_gets_a_new_class(labels, index):
    known = dict(index)
    return torch.tensor([known.setdefault(label, len(known)) for label in labels], dtype=torch.int64)


@wrong(
    "encode-by-place-in-the-dict",
    replaces="encode",
    says="These are the places of the labels in the dict, in the order in which it was filled; the number of a class "
    "is the value that stands there, index[label].",
)
def encode_by_place_in_the_dict(labels, index):
    places = {label: place for place, label in enumerate(index)}
    return torch.tensor([places[label] for label in labels], dtype=torch.int64)


@wrong(
    "encode-as-floats",
    replaces="encode",
    says="The numbers are floats. For cross entropy float targets are probabilities; class numbers are int64.",
)
def encode_as_floats(labels, index):
    return torch.tensor([index[label] for label in labels], dtype=torch.float32)


@wrong(
    "encode-in-int32",
    replaces="encode",
    says="The dtype is int32; cross entropy takes class numbers as int64, and raises for others.",
)
def encode_in_int32(labels, index):
    return torch.tensor([index[label] for label in labels], dtype=torch.int32)


@wrong(
    "encode-empty-as-floats",
    replaces="encode",
    says="Where there is no label the result is float32: torch.tensor has nothing to tell an empty list's dtype by. "
    "Give the dtype.",
)
def encode_empty_as_floats(labels, index):
    return torch.tensor([index[label] for label in labels])


@wrong(
    "encode-as-a-list",
    replaces="encode",
    says="The numbers are right, but in a list; a loss takes them as a tensor.",
)
def encode_as_a_list(labels, index):
    return [index[label] for label in labels]


@wrong(
    "encode-as-a-column",
    replaces="encode",
    says="The numbers stand in a column, (N, 1). Cross entropy takes one number for each example, (N,).",
)
def encode_as_a_column(labels, index):
    return torch.tensor([index[label] for label in labels], dtype=torch.int64)[:, None]


@wrong(
    "encode-by-the-labels-at-hand",
    replaces="encode",
    says="The numbers were made anew from the labels at hand: where a class does not occur among them, all behind it "
    "have another number than in training. Look up index, which is kept for that.",
)
def encode_by_the_labels_at_hand(labels, index):
    own = sorted(set(labels))
    return torch.tensor([own.index(label) for label in labels], dtype=torch.int64)


@wrong(
    "encode-by-sorted-place",
    replaces="encode",
    says="These are the places of the labels among index's keys, sorted; index may number them otherwise, and the "
    "value that stands there counts: index[label].",
)
def encode_by_sorted_place(labels, index):
    keys = sorted(index)
    return torch.tensor([keys.index(label) if label in index else index[label] for label in labels], dtype=torch.int64)


@wrong(
    "encode-one-hot",
    replaces="encode",
    says="This is one-hot, (N, C): cross entropy takes the numbers of the classes themselves, (N,).",
)
def encode_one_hot(labels, index):
    return torch.eye(len(index), dtype=torch.int64)[[index[label] for label in labels]]


@wrong(
    "unknown-label-becomes-none",
    replaces="encode",
    says="An unknown label became None, which torch.tensor then refuses with a TypeError that names no label. "
    "index[label] raises KeyError by itself.",
)
def unknown_label_becomes_none(labels, index):
    return torch.tensor([index.get(label) for label in labels], dtype=torch.int64)


@wrong(
    "unknown-label-put-into-the-index",
    replaces="encode",
    says="An unknown label was put into the caller's index, with a new number, one that the model has no output for: "
    "setdefault and defaultdict do that. index[label] raises KeyError by itself.",
)
def unknown_label_put_into_the_index(labels, index):
    return torch.tensor([index.setdefault(label, len(index)) for label in labels], dtype=torch.int64)


# ---- decode


@wrong(
    "tensor-as-dict-key",
    replaces="decode",
    says="A tensor was looked up in a dict. Tensors are compared by identity there, so no tensor is ever found: take "
    "Python ints out of it first, by tolist() or item().",
)
def tensor_as_dict_key(numbers, index):
    label = {number: label for label, number in index.items()}
    return [label[number] for number in numbers]


@wrong(
    "decode-by-place-in-the-dict",
    replaces="decode",
    says="A number was taken for the place in the dict, which was filled in another order. Turn the dict round, from "
    "numbers to labels.",
)
def decode_by_place_in_the_dict(numbers, index):
    label = dict(enumerate(index))
    return [label[number] for number in numbers.tolist()]


@wrong(
    "decode-minus-one-is-the-last",
    replaces="decode",
    says="A negative number gave the name of a class: a list counts -1 from its end. No class has such a number, so "
    "raise KeyError.",
    fact="05.2",
)
def decode_minus_one_is_the_last(numbers, index):
    labels = sorted(index, key=index.get)
    if any(number >= len(labels) or number < -len(labels) for number in numbers.tolist()):
        raise KeyError(max(numbers.tolist(), key=abs))
    return [labels[number] for number in numbers.tolist()]


@wrong(
    "decode-unknown-becomes-none",
    replaces="decode",
    says="A number of no class became None. The list goes on through the program, and fails somewhere else: raise "
    "KeyError, as index does for [ ].",
)
def decode_unknown_becomes_none(numbers, index):
    label = {number: label for label, number in index.items()}
    return [label.get(number) for number in numbers.tolist()]


@wrong(
    "decode-unknown-dropped",
    replaces="decode",
    says="A number of no class was left out, and the list is shorter than the numbers: everything behind it now "
    "stands at the place of another example.",
)
def decode_unknown_dropped(numbers, index):
    label = {number: label for label, number in index.items()}
    return [label[number] for number in numbers.tolist() if number in label]


@wrong(
    "decode-indexerror-of-a-list",
    replaces="decode",
    says="An IndexError came where KeyError is asked: that of a list, which does not say which number it was.",
)
def decode_indexerror_of_a_list(numbers, index):
    labels = sorted(index, key=index.get)
    for number in numbers.tolist():
        if number < 0:
            raise KeyError(number)
    return [labels[number] for number in numbers.tolist()]


@wrong(
    "decode-encodes",
    replaces="decode",
    says="The numbers were looked up among the labels: index goes from labels to numbers, and here is the way back. "
    "Turn the dict round.",
)
def decode_encodes(numbers, index):
    return [index[number] for number in numbers.tolist()]


@wrong(
    "decode-each-once",
    replaces="decode",
    says="Each class came once, in ascending order: asked is the label of each number, N of them, repeats and all.",
)
def decode_each_once(numbers, index):
    label_of = {number: label for label, number in index.items()}
    return [label_of[number] for number in numbers.unique().tolist()]


@wrong(
    "decode-to-text",
    replaces="decode",
    says="The labels came back as text where they are ints: a label comes back as it went in.",
)
def decode_to_text(numbers, index):
    label_of = {number: str(label) for label, number in index.items()}
    return [label_of[number] for number in numbers.tolist()]


# ---- missing_classes


@wrong(
    "missing-up-to-the-largest-label",
    replaces="missing_classes",
    says="Classes above the largest label are not reported. What should be there is given by the outputs, not by the "
    "labels that happen to occur.",
)
def missing_up_to_the_largest_label(labels, outputs):
    return sorted(set(range(max(labels.tolist(), default=-1) + 1)) - set(labels.tolist()))


@wrong(
    "missing-number-counted",
    replaces="missing_classes",
    says="That is how many classes are missing; asked is which.",
)
def missing_number_counted(labels, outputs):
    return outputs - len(set(labels.tolist()) - {-100})


@wrong(
    "present-for-missing",
    replaces="missing_classes",
    says="These are the classes that do occur; those that do not are asked.",
)
def present_for_missing(labels, outputs):
    return sorted(set(labels.tolist()) - {-100})


@wrong(
    "missing-from-a-set-of-tensors",
    replaces="missing_classes",
    says="All classes are reported: a tensor that is gone through, or made a set of, gives tensors, and a number is "
    "never found among them, for two tensors are the same element only if they are one object. tolist() makes "
    "ints.",
)
def missing_from_a_set_of_tensors(labels, outputs):
    return sorted(set(range(outputs)) - set(labels))


@wrong(
    "missing-counts-from-one",
    replaces="missing_classes",
    says="The classes are counted from 1 to `outputs`; they go from 0 to outputs - 1. So labels that start at 1 look "
    "complete, while output 0 is never trained.",
    fact="05.2",
)
def missing_counts_from_one(labels, outputs):
    return sorted(set(range(1, outputs + 1)) - set(labels.tolist()))


@wrong(
    "missing-as-a-tensor",
    replaces="missing_classes",
    says="The classes stand in a tensor; a list of Python ints is asked.",
)
def missing_as_a_tensor(labels, outputs):
    return torch.tensor(sorted(set(range(outputs)) - set(labels.tolist())), dtype=torch.int64)


@wrong(
    "missing-by-bincount",
    replaces="missing_classes",
    says="bincount refused the labels: it takes no negative number, and -100 marks examples that have no class. Leave "
    "them out first.",
)
def missing_by_bincount(labels, outputs):
    return (labels.bincount(minlength=outputs) == 0).nonzero().flatten().tolist()


@wrong(
    "ignored-labels-count-from-the-end",
    replaces="missing_classes",
    says="-100 was used as an index: where there are fewer outputs that is an IndexError, else it counts from the end "
    "and marks a class that no label names. Leave -100 out first.",
)
def ignored_labels_count_from_the_end(labels, outputs):
    occurs = torch.zeros(outputs, dtype=torch.bool)
    occurs[labels] = True
    return (~occurs).nonzero().flatten().tolist()


@wrong(
    "missing-in-a-sets-order",
    replaces="missing_classes",
    says="The classes are not in ascending order: a set has an order of its own, which only looks sorted while its "
    "numbers are small and close together. Sort them.",
)
def missing_in_a_sets_order(labels, outputs):
    return list(set(range(outputs)) - set(labels.tolist()))


@wrong(
    "ignored-label-listed",
    replaces="missing_classes",
    says="-100 is listed as a missing class: ^ also keeps what is among the labels alone. What should be there, less "
    "what is there, is a difference, -.",
)
def ignored_label_listed(labels, outputs):
    return sorted(set(range(outputs)) ^ set(labels.tolist()))


@wrong(
    "class-zero-never-missing",
    replaces="missing_classes",
    says="Class 0 is not reported where it is missing: outputs are counted from 0, so range(outputs) begins there, "
    "and what makes 0 of -100, as clamp(min=0) does, takes it for a class. Labels from 1 then look complete, while "
    "output 0 is never trained.",
)
def class_zero_never_missing(labels, outputs):
    return [number for number in range(1, outputs) if number not in labels.tolist()]


@wrong(
    "single-missing-class-as-a-number",
    replaces="missing_classes",
    says="Where one class is missing, its number came back, no list: squeeze() drops every axis of size 1, so that "
    "tolist() gives a number. flatten() keeps the one that is asked.",
)
def single_missing_class_as_a_number(labels, outputs):
    counts = torch.bincount(labels[labels >= 0], minlength=outputs)
    return (counts == 0).nonzero().squeeze().tolist()


# ---- check_labels


@wrong(
    "label-equal-to-outputs-passes",
    replaces="check_labels",
    says="A label equal to the number of outputs passed. Outputs are 0 to C - 1, so label C is the first that has "
    "none: labels that start at 1 end there.",
    fact="05.2",
)
def label_equal_to_outputs_passes(labels, outputs):
    for label in labels.tolist():
        if label != -100 and not 0 <= label <= outputs:
            raise ValueError(label)


@wrong(
    "negative-labels-pass",
    replaces="check_labels",
    says="A negative label passed. -100 alone stands for `leave this out`; -1 is no class and no index here, and "
    "cross entropy raises for it.",
    fact="05.2",
)
def negative_labels_pass(labels, outputs):
    for label in labels.tolist():
        if label >= outputs:
            raise ValueError(label)


@wrong(
    "ignored-labels-refused",
    replaces="check_labels",
    says="-100 was refused. It is no class, but cross entropy's mark for an example that does not count, and allowed "
    "here.",
)
def ignored_labels_refused(labels, outputs):
    for label in labels.tolist():
        if not 0 <= label < outputs:
            raise ValueError(label)


@wrong(
    "labels-only-counted",
    replaces="check_labels",
    says="Only the number of different labels was compared with the outputs: 1, 2, 3 are three, and still 3 has no "
    "output. Look at the labels themselves.",
    fact="05.2",
)
def labels_only_counted(labels, outputs):
    found = set(labels.tolist()) - {-100}
    if len(found) > outputs:
        raise ValueError(max(found))


@wrong(
    "gaps-refused",
    replaces="check_labels",
    says="Labels were refused because not every class occurs. That may be worth a look, but no loss fails over it: "
    "only labels outside 0 to outputs - 1 are to be refused.",
)
def gaps_refused(labels, outputs):
    found = set(labels.tolist()) - {-100}
    if found != set(range(outputs)):
        raise ValueError(f"{sorted(found)}")


@wrong(
    "wrong-label-named",
    replaces="check_labels",
    says="ValueError is right, but the message names another label, the largest, where a negative one is what is not "
    "allowed.",
)
def wrong_label_named(labels, outputs):
    found = set(labels.tolist()) - {-100}
    if found and (min(found) < 0 or max(found) >= outputs):
        raise ValueError(f"label {max(found)}")


@wrong(
    "label-not-named",
    replaces="check_labels",
    says="ValueError is right, but its message has no label in it; with thousands of labels one wants to know which.",
)
def label_not_named(labels, outputs):
    for label in labels.tolist():
        if label != -100 and not 0 <= label < outputs:
            raise ValueError("there are labels out of range")


@wrong(
    "labels-checked-by-assert",
    replaces="check_labels",
    says="An AssertionError came: `assert` is for what cannot be, and is gone under python -O. Data that comes from "
    "outside is refused with ValueError.",
)
def labels_checked_by_assert(labels, outputs):
    for label in labels.tolist():
        assert label == -100 or 0 <= label < outputs, label


@wrong(
    "verdict-returned",
    replaces="check_labels",
    says="The verdict came back as a bool. Nobody has to look at that: raise ValueError for bad labels, and return "
    "nothing for good ones.",
)
def verdict_returned(labels, outputs):
    return all(label == -100 or 0 <= label < outputs for label in labels.tolist())


@wrong(
    "no-labels-crash",
    replaces="check_labels",
    says="No label at all crashed: min() and max() of an empty tensor have no answer. There is nothing to refuse then.",
)
def no_labels_crash(labels, outputs):
    high, low = labels.max().item(), labels.masked_fill(labels == -100, 0).min().item()
    if high >= outputs or low < 0:
        raise ValueError(low if low < 0 else high)


@wrong(
    "only-the-first-label-checked",
    replaces="check_labels",
    says="Only the first label was looked at: a `return` within the loop ends it. Return when all are through, or not "
    "at all.",
)
def only_the_first_label_checked(labels, outputs):
    for label in labels.tolist():
        if label == -100 or 0 <= label < outputs:
            return
        raise ValueError(f"label {label}")


@wrong(
    "labels-warned-of",
    replaces="check_labels",
    says="No label is refused: the call comes back whatever it is given. To warn or to print goes on to the loss; "
    "raise ValueError.",
)
def labels_warned_of(labels, outputs):
    return None


@wrong(
    "labels-refused-with-an-index-error",
    replaces="check_labels",
    says="An IndexError came, where ValueError is asked: it is the value of the data that is wrong, and no index was "
    "out of range here, yet.",
)
def labels_refused_with_an_index_error(labels, outputs):
    for label in labels.tolist():
        if label != -100 and not 0 <= label < outputs:
            raise IndexError(f"label {label}")


@wrong(
    "labels-checked-by-their-size",
    replaces="check_labels",
    says="A negative label passed whose size is below the number of outputs: abs() forgets the sign, and -1 is no "
    "class.",
)
def labels_checked_by_their_size(labels, outputs):
    for label in labels.tolist():
        if label != -100 and abs(label) >= outputs:
            raise ValueError(f"label {label}")
