// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DemoToken} from "../devnet/DemoToken.sol";

interface ITransferCallback {
    function beforeTransfer() external;
}

interface IReceiptCallback {
    function afterReceipt() external;
}

/// @notice A token that calls the sender before it moves anything, and the recipient after it, as ERC-777 tokens do.
contract CallbackToken is DemoToken {
    constructor() DemoToken("Callback Token", "CALL", 6) {}

    function _update(address from, address to, uint256 amount) internal override {
        if (from.code.length > 0) {
            try ITransferCallback(from).beforeTransfer() {} catch {}
        }
        super._update(from, to, amount);
        if (to.code.length > 0) {
            try IReceiptCallback(to).afterReceipt() {} catch {}
        }
    }
}
